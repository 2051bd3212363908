/// The beginnings of coded images, without pixels.
enum CodedImage {
    /// An AV1 image of one frame, with the sequence header of still pictures (§5.5). Up to 4,096 pixels a side.
    static func av1(_ widthPx: Int, _ heightPx: Int) -> [UInt8] {
        unit(2, []) + sequence(widthPx, heightPx) + unit(6, [0, 0])
    }

    /// The sequence header of a still picture.
    static func sequence(_ widthPx: Int, _ heightPx: Int) -> [UInt8] {
        // Profile, still, reduced, level; sides of 12 bits.
        var fields = [(0, 3), (1, 1), (1, 1), (0, 5), (11, 4), (11, 4)]
        fields.append((widthPx - 1, 12))
        fields.append((heightPx - 1, 12))
        fields.append((0, 10))
        return unit(1, bits(fields))
    }

    /// An AV1 image whose sequence header says 64 × 64 pixels, in 12 bits, and whose frame may have a size of its own.
    static func av1(isOverridden: Bool) -> [UInt8] {
        // Profile, still, reduced, times, delays; one operating point; sides; no numbers of frames, no tools.
        let sequence = bits([
            (0, 3), (0, 1), (0, 1), (0, 1), (0, 1), (0, 5), (0, 12), (0, 5), (11, 4), (11, 4), (63, 12), (63, 12),
            (0, 1), (0, 7), (0, 1), (0, 2), (0, 16),
        ])
        // Not shown again, a key frame, shown; probabilities; its own size.
        let choice = isOverridden ? 1 : 0
        let frame = bits([(0, 1), (0, 2), (1, 1), (0, 1), (choice, 1), (0, 10)])
        return unit(2, []) + unit(1, sequence) + unit(6, frame)
    }

    /// An OBU of up to 127 bytes (§5.3).
    static func unit(_ type: Int, _ content: [UInt8]) -> [UInt8] {
        [UInt8((type << 3) | 2), UInt8(content.count)] + content
    }

    /// A sequence parameter set of HEVC (ITU-T H.265 §7.3.2.2).
    static func parameterSet(_ widthPx: Int, _ heightPx: Int) -> [UInt8] {
        // The number of another set, one layer, nesting; profile and level.
        var fields = [(0, 4), (0, 3), (1, 1), (1, 8), (0, 32), (0, 32), (0, 16), (60, 8)]
        for value in [0, 1, widthPx, heightPx, 0] {
            let width = Int.bitWidth - (value + 1).leadingZeroBitCount
            fields.append((value + 1, 2 * width - 1))
        }
        fields.append((1, 8))
        var escaped: [UInt8] = []
        for byte in [0x42, 0x01] + bits(fields) {
            if escaped.suffix(2) == [0, 0], byte <= 3 { escaped.append(3) }
            escaped.append(byte)
        }
        return escaped
    }

    /// The property `hvcC` with one parameter set (ISO/IEC 14496-15 §8.3.3.1).
    static func configuration(_ parameterSet: [UInt8]) -> [UInt8] {
        var content: [UInt8] = [1] + [UInt8](repeating: 0, count: 20)
        // Lengths of four bytes; one array.
        content += [3, 1, 0x21] + big(1, 2)
        content += big(parameterSet.count, 2) + parameterSet
        return WrittenHEIF.box("hvcC", content)
    }

    /// NAL units with their lengths.
    static func hevc(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { big($0.count, 4) + $0 } }

    /// The first slice of a picture that needs no other.
    static let slice: [UInt8] = [0x26, 0x01, 0x80, 0, 0]

    /// Numbers and their widths in bits, filled up to a whole byte.
    private static func bits(_ fields: [(Int, Int)]) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = 0
        for (value, width) in fields {
            for index in (0..<width).reversed() {
                if place % 8 == 0 { bytes.append(0) }
                if (value >> index) & 1 == 1 { bytes[place / 8] |= UInt8(0x80 >> (place % 8)) }
                place += 1
            }
        }
        return bytes
    }
}
