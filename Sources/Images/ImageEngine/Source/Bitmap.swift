import Bytes

/// A Windows bitmap: its header, read and checked; every number in it is untrusted.
///
/// Read: headers of 12, 40, 52, 56, 64, 108 and 124 bytes; 1, 4, 8, 16, 24 and 32 bits; plain, run lengths of 8 and 4
/// bits, masks of bits; from the bottom up or from the top down. Inside an icon, the mask of one bit that follows the
/// colors.
struct Bitmap: Sendable {
    let widthPx: Int
    let heightPx: Int
    let bits: Int
    /// Whether pixels come out as RGBA, else as RGB.
    let hasAlpha: Bool

    let bytes: SharedBytes
    let isTopDown: Bool
    let compression: Compression
    /// Which bits of a pixel of 16 or 32 are red, green, blue, alpha; 0 for none.
    let masks: [UInt32]
    /// Red, green, blue of the numbers of pixels of 8 bits and fewer.
    let palette: [UInt8]
    let pixelOffset: Int
    /// Whether a mask of one bit follows the colors.
    let isIcon: Bool

    enum Compression: Sendable {
        case none
        case runs8
        case runs4
    }

    /// Bytes of a stored row, which is filled up to four.
    var stride: Int { (widthPx * bits + 31) / 32 * 4 }

    /// Reads the header of a file.
    init?(file bytes: SharedBytes) {
        self.init(bytes, header: 14, pixelOffset: bytes.span.little(10, 4), isIcon: false)
    }

    /// Reads the header of an image inside an icon.
    init?(icon bytes: SharedBytes) {
        self.init(bytes, header: 0, pixelOffset: nil, isIcon: true)
    }

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
        // libvips knows no sides of more than ten million: it would take others for 1.
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
        // Behind a header of 40 bytes the masks stand where the palette would.
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

    /// Whether the bytes that rows without compression need are there, or runs, of which two bytes make 255 pixels at most.
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
    /// A number of four bytes with a sign.
    fileprivate func signed(_ offset: Int) -> Int? {
        little(offset, 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    }
}
