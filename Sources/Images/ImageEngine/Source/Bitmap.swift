import Bytes
import ImagePlan

/// A Windows bitmap with its header checked; every number in it is untrusted. Plain, run lengths of 8 and 4 bits, bit
/// masks; in either row order. Inside an icon, also the 1-bit mask after the colors.
struct Bitmap: Sendable {
    let widthPx: Int
    let heightPx: Int
    let bits: Int
    let hasAlpha: Bool

    let bytes: SharedBytes
    let isTopDown: Bool
    let compression: Compression
    /// The bits of red, green, blue, alpha in a pixel of 16 or 32 bits; 0 for none.
    let masks: [UInt32]
    let palette: [UInt8]
    let pixelOffset: Int
    let isIcon: Bool

    enum Compression: Sendable { case none, runs8, runs4 }

    var stride: Int { (widthPx * bits + 31) / 32 * 4 }

    init?(file bytes: SharedBytes) {
        self.init(bytes, header: 14, pixelOffset: bytes.span.little(10, 4), isIcon: false)
    }

    init?(icon bytes: SharedBytes) { self.init(bytes, header: 0, pixelOffset: nil, isIcon: true) }

    private init?(_ bytes: SharedBytes, header: Int, pixelOffset: Int?, isIcon: Bool) {
        let span = bytes.span
        guard let headerCount = span.little(header, 4), [12, 40, 52, 56, 64, 108, 124].contains(headerCount) else {
            return nil
        }
        let isOld = headerCount == 12
        guard let width = isOld ? span.little(header + 4, 2) : span.signed(header + 4),
            let height = isOld ? span.little(header + 6, 2) : span.signed(header + 8),
            let bits = span.little(header + (isOld ? 10 : 14), 2), [1, 4, 8, 16, 24, 32].contains(bits)
        else { return nil }
        let rows = isIcon ? abs(height) / 2 : abs(height)
        // libvips knows no sides above ten million: it would use 1 instead.
        guard (1...8_000_000).contains(width), (1...8_000_000).contains(rows) else { return nil }
        let method = isOld ? 0 : span.little(header + 16, 4) ?? 0
        switch (method, bits) {
        case (0, _), (3, 16), (3, 32), (6, 16), (6, 32): compression = .none
        case (1, 8): compression = .runs8
        case (2, 4): compression = .runs4
        default: return nil
        }
        let hasMasks = method == 3 || method == 6
        let maskCount = headerCount >= 56 || method == 6 ? 4 : 3
        if hasMasks {
            masks = (0..<4).map { $0 < maskCount ? UInt32(span.little(header + 40 + $0 * 4, 4) ?? 0) : 0 }
        } else if bits == 16 {
            masks = [0x7c00, 0x03e0, 0x001f, 0]
        } else {
            masks = [0xff_0000, 0x00_ff00, 0x00_00ff, isIcon && bits == 32 ? 0xff00_0000 : 0]
        }
        // After a header of 40 bytes the masks precede the palette.
        let table = header + headerCount + (hasMasks && headerCount == 40 ? maskCount * 4 : 0)
        let entryCount = isOld ? 3 : 4
        let used = isOld ? 0 : span.little(header + 32, 4) ?? 0
        let colorCount = bits > 8 ? 0 : min(used == 0 ? 1 << bits : used, 1 << bits)
        palette = (0..<colorCount).flatMap { number -> [UInt8] in
            [2, 1, 0].map { span.byte(table + number * entryCount + $0) ?? 0 }
        }
        self.bytes = bytes
        widthPx = width
        heightPx = rows
        self.bits = bits
        self.isIcon = isIcon
        isTopDown = height < 0
        hasAlpha = isIcon || masks[3] != 0
        self.pixelOffset = pixelOffset ?? table + colorCount * entryCount
        guard isPlausible else { return nil }
    }

    /// Whether the file has enough bytes for its rows, or for runs, two bytes of which make at most 255 pixels.
    private var isPlausible: Bool {
        guard pixelOffset > 0, pixelOffset < bytes.count else { return false }
        guard compression == .none else {
            let pixels = widthPx.multipliedReportingOverflow(by: heightPx)
            return !pixels.overflow && pixels.partialValue / 255 <= bytes.count - pixelOffset + 4096
        }
        let pixels = stride.multipliedReportingOverflow(by: heightPx)
        guard !pixels.overflow else { return false }
        let mask = isIcon && bits < 32 ? (widthPx + 31) / 32 * 4 * heightPx : 0
        return pixels.partialValue <= bytes.count - pixelOffset
            && mask <= bytes.count - pixelOffset - pixels.partialValue
    }
}

extension RawSpan {
    fileprivate func signed(_ offset: Int) -> Int? { little(offset, 4).map { Int(Int32(truncatingIfNeeded: $0)) } }
}

/// The largest image of a Windows icon; of those with the same size the one with the most bits.
enum Icon {
    case bitmap(Bitmap)
    /// An embedded PNG, whose bytes must outlive this value.
    case png(SharedBytes)

    init?(_ bytes: SharedBytes) {
        let span = bytes.span
        guard let count = span.little(4, 2), (1...256).contains(count) else { return nil }
        func side(_ entry: Int, _ place: Int) -> Int {
            let value = Int(span.byte(entry + place) ?? 0)
            return value == 0 ? 256 : value
        }
        func rank(_ entry: Int) -> Int { side(entry, 0) * side(entry, 1) * 64 + (span.little(entry + 6, 2) ?? 0) }
        let entries = (0..<count).map { 6 + $0 * 16 }.filter { $0 + 16 <= span.byteCount }
        guard let best = entries.max(by: { rank($0) < rank($1) }), let byteCount = span.little(best + 8, 4),
            let offset = span.little(best + 12, 4), offset >= 6, byteCount > 0, offset <= bytes.count,
            byteCount <= bytes.count - offset
        else { return nil }
        let part = bytes.slice(offset..<(offset + byteCount))
        if ImageEngine.sniff(part.span) == .png {
            self = .png(part)
        } else if let bitmap = Bitmap(icon: part) {
            self = .bitmap(bitmap)
        } else {
            return nil
        }
    }
}
