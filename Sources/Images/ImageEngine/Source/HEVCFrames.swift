/// The frames of an HEVC image, by its parameter sets and the first bits of its slices (ITU-T H.265 §7.3).
enum HEVCFrames {
    /// A sequence parameter set tells its size within 140 bytes, with those that keep start codes away within 210.
    private static let unitByteCount = 256

    /// Looks at all NAL units: those of the property `hvcC`, which libheif feeds first, and those of the data.
    static func find(
        _ data: HEIFData, _ configuration: Range<Int>?, in file: RawSpan, counting units: inout CodedUnits
    ) throws(ImageError) -> CodedFrames {
        var frames = CodedFrames()
        if let configuration { try read(configuration, in: file, into: &frames, counting: &units) }
        var place = 0
        while place < data.count {
            try units.next()
            // libheif takes lengths for four bytes.
            let length = data.bytes(file, from: place, count: 4)
            guard length.count == 4 else { break }
            let count = length.reduce(0) { ($0 << 8) | Int($1) }
            place += 4
            guard count <= data.count - place else { break }
            note(data.bytes(file, from: place, count: min(count, unitByteCount)), in: &frames)
            place += count
        }
        return frames
    }

    /// ISO/IEC 14496-15 §8.3.3.1.
    private static func read(
        _ configuration: Range<Int>, in file: RawSpan, into frames: inout CodedFrames, counting units: inout CodedUnits
    ) throws(ImageError) {
        let broken = ImageError.corrupt(log: "a property hvcC that breaks off")
        guard configuration.count >= 23, let width = file.byte(configuration.lowerBound + 21),
            let arrayCount = file.byte(configuration.lowerBound + 22)
        else { throw broken }
        // The length of lengths, less 1.
        guard width & 3 == 3 else { throw .unsupportedFormat }
        var place = configuration.lowerBound + 23
        for _ in 0..<Int(arrayCount) {
            guard place + 3 <= configuration.upperBound, let unitCount = file.big(place + 1, 2) else { throw broken }
            place += 3
            for _ in 0..<unitCount {
                try units.next()
                guard place + 2 <= configuration.upperBound, let count = file.big(place, 2),
                    place + 2 + count <= configuration.upperBound
                else { throw broken }
                note(file.array((place + 2)..<(place + 2 + min(count, unitByteCount))), in: &frames)
                place += 2 + count
            }
        }
    }

    private static func note(_ unit: [UInt8], in frames: inout CodedFrames) {
        let bytes = unescaped(unit)
        guard bytes.count >= 3 else { return }
        // Decoders read the lowest layer alone.
        let layer = (bytes[0] & 1) << 5 | bytes[1] >> 3
        guard layer == 0 else { return }
        let type = (bytes[0] >> 1) & 0x3f
        if type == 33, let (widthPx, heightPx) = size(Array(bytes[2...])) {
            frames.note(widthPx: widthPx, heightPx: heightPx)
        }
        // The first slice of a picture says so.
        if type < 32, bytes[2] & 0x80 != 0 { frames.count += 1 }
    }

    /// Without the bytes that keep start codes away (§7.3.1.1).
    private static func unescaped(_ unit: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var zeroCount = 0
        for byte in unit {
            if zeroCount >= 2, byte == 3 {
                zeroCount = 0
                continue
            }
            zeroCount = byte == 0 ? zeroCount + 1 : 0
            bytes.append(byte)
        }
        return bytes
    }

    /// The size of pictures in a sequence parameter set (§7.3.2.2.1); nil where it breaks off.
    private static func size(_ content: [UInt8]) -> (widthPx: Int, heightPx: Int)? {
        var bits = BitReader(content)
        bits.skip(4)
        let layerCount = bits.number(3)
        // Nesting; the profile (88 bits) and level (8 bits) of all layers, then those of each that has them (§7.3.3).
        bits.skip(1 + 88 + 8)
        var skipped = 0
        for _ in 0..<layerCount {
            if bits.flag() { skipped += 88 }
            if bits.flag() { skipped += 8 }
        }
        if layerCount > 0 { bits.skip(2 * (8 - layerCount)) }
        bits.skip(skipped)
        // The number of the set, and how colors are sampled: 3 is at every pixel.
        _ = bits.exponential()
        if bits.exponential() == 3 { bits.skip(1) }
        let (widthPx, heightPx) = (bits.exponential(), bits.exponential())
        return bits.isPastEnd ? nil : (widthPx, heightPx)
    }
}
