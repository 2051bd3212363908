import Bytes
import Glibc

@testable import PNGCoding

// The first byte of an input says whether the rest is a file, the rows of one that is written here, or pixels.

/// What `scripts/fuzz png` runs: the reader, against another one that is plainer, and the writer against the reader.
enum PNGInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        switch selector & 3 {
        case 0: try checkFile(input.rest())
        case 1: try checkPixels(&input)
        default: try checkRows(&input, selector)
        }
    }

    private static func checkFile(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let decoder = PNGDecoder(SharedBytes(PNGCoding.signature + bytes)) else { return }
        try BrokenInvariant.require((1...4).contains(decoder.bands), "\(decoder.bands) bands")
        _ = decoded(decoder)
    }

    /// Packed rows; nil for what is malformed.
    private static func decoded(_ decoder: PNGDecoder) -> [UInt8]? {
        guard let rows = decoder.decode() else { return nil }
        defer { free(rows) }
        let count = decoder.widthPx * decoder.heightPx * decoder.bands * (decoder.is16Bit ? 2 : 1)
        return Array(UnsafeRawBufferPointer(start: rows, count: count))
    }

    // MARK: Reading

    private static func checkRows(_ input: inout FuzzInput, _ selector: UInt8) throws(BrokenInvariant) {
        let picture = PlainPNG(&input)
        guard let whole = picture.file(pieceCount: 1), let cut = picture.file(pieceCount: 2 + Int(selector >> 2) % 5)
        else { return }
        let expected = picture.pixels()
        for file in [whole, cut] {
            let found = PNGDecoder(SharedBytes(file)).flatMap(decoded)
            try BrokenInvariant.require(found == expected, "\(picture) became \(found ?? [])")
        }
    }

    // MARK: Writing

    private static func checkPixels(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let (width, height) = (1 + Int(input.next() % 24), 1 + Int(input.next() % 8))
        let kind = input.next()
        let (bands, is16Bit) = (1 + Int(kind & 3), kind & 4 != 0)
        let rowCount = width * bands * (is16Bit ? 2 : 1)
        // Few colors are written by a palette.
        let mask: UInt8 = [255, 1, 3, 0x80][Int(kind >> 3 & 3)]
        let pixels = input.repeated(count: rowCount * height).map { $0 & mask }
        guard var encoder = PNGEncoder(widthPx: width, heightPx: height, bands: bands, is16Bit: is16Bit) else {
            throw BrokenInvariant("no encoder for \(width) x \(height)")
        }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: pixels.count)
        memory.initialize(from: pixels, count: pixels.count)
        for y in 0..<height { encoder.append(memory + y * rowCount) }
        memory.deallocate()
        let strategy = kind & 32 == 0 ? PNGCoding.Strategy.thorough : .sampled
        guard let file = encoder.finish(level: 1, strategy: strategy), let decoder = PNGDecoder(file),
            let found = decoded(decoder)
        else { throw BrokenInvariant("what was written cannot be read") }
        try BrokenInvariant.require(decoder.widthPx == width && decoder.heightPx == height, "another size")
        if is16Bit {
            try BrokenInvariant.require(decoder.bands == bands && found == pixels, "other pixels: \(found)")
        } else {
            try BrokenInvariant.require(
                colors(of: found, bands: decoder.bands) == colors(of: pixels, bands: bands), "other pixels: \(found)")
        }
    }

    /// Red, green, blue and alpha of each pixel.
    private static func colors(of pixels: [UInt8], bands: Int) -> [[UInt8]] {
        stride(from: 0, to: pixels.count, by: bands).map { start in
            let pixel = Array(pixels[start..<(start + bands)])
            let color = bands < 3 ? [pixel[0], pixel[0], pixel[0]] : Array(pixel[..<3])
            return color + [bands.isMultiple(of: 2) ? pixel[bands - 1] : 255]
        }
    }
}
