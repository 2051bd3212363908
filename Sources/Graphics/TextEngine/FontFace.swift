import CText
import Synchronization

/// A face of a font file: its names and what it covers. The file is mapped when text is set in it.
package final class FontFace: Sendable {
    package let id: Int
    package let family: String
    let lowercasedFamily: String
    package let style: String
    /// 400 is regular, 700 bold.
    package let weight: Double
    package let isItalic: Bool

    private let path: String
    private let face: Int
    /// A bit for each 256 characters: whether it has one of them.
    private let pages: [UInt8]
    private let opened = Mutex<Font?>(nil)

    init?(path: String, face: Int, id: Int) {
        guard let handle = unsafe ctext_font_open(path, Int32(face)) else { return nil }
        defer { unsafe ctext_font_close(handle) }
        (self.path, self.face, self.id) = (path, face, id)
        let family = unsafe Self.name { unsafe ctext_font_family(handle, $0, $1) }
        self.family = family
        lowercasedFamily = family.lowercased()
        style = unsafe Self.name { unsafe ctext_font_style(handle, $0, $1) }
        weight = unsafe ctext_font_weight(handle)
        isItalic = unsafe ctext_font_is_italic(handle)
        var pages = [UInt8](repeating: 0, count: Int(CTEXT_PAGE_BYTES))
        unsafe pages.withUnsafeMutableBufferPointer { unsafe ctext_font_pages(handle, $0.baseAddress) }
        self.pages = pages
    }

    private static func name(_ read: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let count = unsafe read(base, 128)
            let bytes = unsafe UnsafeRawBufferPointer(start: base, count: max(0, min(127, Int(count))))
            return unsafe String(decoding: bytes, as: UTF8.self)
        }
    }

    func mayHave(_ character: UInt32) -> Bool {
        let page = Int(character >> 8)
        return page < pages.count * 8 && pages[page >> 3] & (1 << UInt8(page & 7)) != 0
    }

    /// Open from the first call on; nil when the file is gone.
    package var font: Font? {
        opened.withLock { opened in
            if opened == nil { opened = Font(path: path, face: face, id: id) }
            return opened
        }
    }
}
