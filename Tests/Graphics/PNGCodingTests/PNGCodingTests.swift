import Bytes
import CDeflate
import Glibc
import SeededRandom
import Testing

@testable import PNGCoding

/// All pixels of `file`, nil where the decoder wants none of it.
private func decoded(_ file: SharedBytes) -> [UInt8]? {
    guard let decoder = PNGDecoder(file), let pixels = decoder.decode() else { return nil }
    defer { free(pixels) }
    let count = decoder.widthPx * decoder.heightPx * decoder.bands * (decoder.is16Bit ? 2 : 1)
    return Array(UnsafeRawBufferPointer(start: pixels, count: count))
}

/// The file of packed rows.
private func encoded(
    _ pixels: [UInt8], _ widthPx: Int, _ heightPx: Int, bands: Int, is16Bit: Bool = false,
    strategy: PNGCoding.Strategy = .thorough
) -> SharedBytes? {
    guard var encoder = PNGEncoder(widthPx: widthPx, heightPx: heightPx, bands: bands, is16Bit: is16Bit) else {
        return nil
    }
    let rowCount = widthPx * bands * (is16Bit ? 2 : 1)
    for start in stride(from: 0, to: pixels.count, by: rowCount) {
        pixels[start..<(start + rowCount)].withUnsafeBufferPointer { row in
            if let base = row.baseAddress { encoder.append(base) }
        }
    }
    return encoder.finish(strategy: strategy)
}

/// Bytes as a picture has them: steps, slopes and noise.
private func samples(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let kind = random.next() % 3
    return (0..<count).map { index in
        switch kind {
        case 0: UInt8(truncatingIfNeeded: random.next())
        case 1: UInt8(truncatingIfNeeded: index / 3)
        default: index / 17 % 3 == 0 ? 250 : UInt8(truncatingIfNeeded: index &* 5)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct PNGDecoderTests {
    private static let kinds: [(PNGCoding.ColorType, Int)] =
        [1, 2, 4, 8, 16].map { (.grey, $0) } + [1, 2, 4, 8].map { (.palette, $0) }
        + [8, 16].flatMap { [(.color, $0), (.greyAlpha, $0), (.colorAlpha, $0)] }

    @Test(arguments: kinds)
    func everyFilterOfEveryKindIsUndone(_ type: PNGCoding.ColorType, _ bits: Int) throws {
        var random = SeededGenerator(state: UInt64(bits) << 8 | UInt64(type.rawValue))
        for (width, height) in [(1, 1), (1, 9), (7, 6), (33, 12), (128, 3)] {
            for filter in 0..<6 {
                var writer = PNGWriter(widthPx: width, heightPx: height, bits: bits, type: type)
                writer.chunkCount = filter.isMultiple(of: 2) ? 11 : 1 << 20
                if type == .palette { writer.palette = samples(3 << bits, &random) }
                let rows = samples(writer.rowCount * height, &random)
                let file = writer.file(rows) { filter == 5 ? $0 % 5 : filter }
                let expected = expanded(rows, writer)
                #expect(decoded(SharedBytes(file)) == expected, "\(type) \(bits) \(width)x\(height) filter \(filter)")
            }
        }
    }

    /// What libvips makes of the samples.
    private func expanded(_ rows: [UInt8], _ writer: PNGWriter) -> [UInt8] {
        if writer.bits == 16 { return stride(from: 0, to: rows.count, by: 2).flatMap { [rows[$0 + 1], rows[$0]] } }
        guard writer.type == .palette || writer.bits < 8 else { return rows }
        var out: [UInt8] = []
        for y in 0..<writer.heightPx {
            for x in 0..<writer.widthPx {
                let byte = rows[y * writer.rowCount + x * writer.bits / 8]
                let number = Int(byte) >> (8 - writer.bits - x * writer.bits % 8) & ((1 << writer.bits) - 1)
                if writer.type == .grey {
                    out.append(UInt8(number * 255 / ((1 << writer.bits) - 1)))
                } else {
                    out += writer.palette[(number * 3)..<(number * 3 + 3)]
                }
            }
        }
        return out
    }

    @Test func transparencyOfAPaletteComesOutAsAlpha() {
        var writer = PNGWriter(widthPx: 4, heightPx: 1, bits: 2, type: .palette)
        writer.palette = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        writer.transparency = [0, 128]
        let file = writer.file([0b0001_1011], filter: { _ in 0 })
        // The last number has no color.
        #expect(decoded(SharedBytes(file)) == [1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255, 0, 0, 0, 255])
    }

    @Test func whatIsLeftToOthersIsNotTaken() {
        var writer = PNGWriter(widthPx: 4, heightPx: 4, bits: 8, type: .color)
        let rows = [UInt8](repeating: 9, count: 48)
        var interlaced = writer.file(rows) { _ in 0 }
        #expect(PNGDecoder(SharedBytes(interlaced)) != nil)
        interlaced[28] = 1
        #expect(PNGDecoder(SharedBytes(interlaced)) == nil)
        writer.transparency = [0, 1, 0, 2, 0, 3]
        #expect(PNGDecoder(SharedBytes(writer.file(rows) { _ in 0 })) == nil)
        writer = PNGWriter(widthPx: 1 << 14, heightPx: 1 << 14, bits: 8, type: .color)
        #expect(PNGDecoder(SharedBytes(writer.file(filtered: [0]))) == nil)
    }

    @Test func unknownFiltersAndWrongLengthsAreRefused() {
        let writer = PNGWriter(widthPx: 2, heightPx: 2, bits: 8, type: .grey)
        #expect(decoded(SharedBytes(writer.file(filtered: [0, 1, 2, 0, 3, 4]))) == [1, 2, 3, 4])
        #expect(decoded(SharedBytes(writer.file(filtered: [0, 1, 2, 5, 3, 4]))) == nil)
        #expect(decoded(SharedBytes(writer.file(filtered: [0, 1, 2, 0, 3]))) == nil)
        #expect(decoded(SharedBytes(writer.file(filtered: [0, 1, 2, 0, 3, 4, 5]))) == nil)
    }

    @Test func flippedAndMissingBytesNeverEndTheProcess() {
        var random = SeededGenerator(state: 77)
        for (type, bits) in Self.kinds {
            var writer = PNGWriter(widthPx: 19, heightPx: 11, bits: bits, type: type)
            writer.chunkCount = 40
            if type == .palette { writer.palette = samples(3 << bits, &random) }
            let file = writer.file(samples(writer.rowCount * 11, &random)) { $0 % 5 }
            for _ in 0..<300 {
                var broken = file
                for _ in 0..<Int(random.next() % 4) {
                    broken[Int(random.next() % UInt64(broken.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                if random.next() % 4 == 0 { broken.removeLast(Int(random.next() % UInt64(broken.count))) }
                // Sizes may come out larger than they went in, and are bounded.
                if let decoder = PNGDecoder(SharedBytes(broken)), decoder.widthPx * decoder.heightPx < 1 << 20 {
                    if let pixels = decoder.decode() { free(pixels) }
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct PNGEncoderTests {
    @Test(arguments: 1...4, [false, true])
    func whatIsEncodedIsDecoded(_ bands: Int, _ is16Bit: Bool) throws {
        var random = SeededGenerator(state: UInt64(bands))
        for (width, height) in [(1, 1), (5, 3), (64, 40), (301, 7), (3, 65), (40, 130)] {
            var pixels = samples(width * height * bands * (is16Bit ? 2 : 1), &random)
            // Neither grey nor opaque as a whole.
            pixels[0] = 3
            if bands > 1 { pixels[1] = 200 }
            for strategy in [PNGCoding.Strategy.thorough, .sampled, .flat] {
                let file = try #require(
                    encoded(pixels, width, height, bands: bands, is16Bit: is16Bit, strategy: strategy))
                let decoder = try #require(PNGDecoder(file))
                #expect([decoder.widthPx, decoder.heightPx] == [width, height])
                #expect(decoder.is16Bit == is16Bit)
                let same = try #require(decoded(file))
                #expect(rgba(same, decoder.bands, is16Bit) == rgba(pixels, bands, is16Bit))
            }
        }
    }

    /// Pixels as RGBA, so that a palette and what it stands for are equal.
    private func rgba(_ pixels: [UInt8], _ bands: Int, _ is16Bit: Bool) -> [UInt8] {
        guard !is16Bit else { return pixels }
        return stride(from: 0, to: pixels.count, by: bands).flatMap { start -> [UInt8] in
            let pixel = pixels[start..<(start + bands)]
            let color = bands < 3 ? [UInt8](repeating: pixel[start], count: 3) : Array(pixel.prefix(3))
            return color + [bands.isMultiple(of: 2) ? pixel[start + bands - 1] : 255]
        }
    }

    /// Streets are repeated signs, slopes are not.
    @Test func theWayThatSuitsThePictureIsFoundOnASample() throws {
        let (width, height) = (320, 300)
        var random = SeededGenerator(state: 41)
        let signs = (0..<24).map { _ in (0..<36).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        var streets: [UInt8] = []
        var slopes: [UInt8] = []
        for _ in 0..<height {
            while streets.count % (width * 3) < width * 3 - 36 {
                streets += random.next() % 3 == 0 ? signs[Int(random.next() % 24)] : [240, 240, 230]
            }
            streets += [UInt8](repeating: 9, count: width * 3 - streets.count % (width * 3))
        }
        for y in 0..<height {
            for x in 0..<width {
                slopes += [x * x / 400 + y, y * 3 / 2 - x, x * y / 300].map { UInt8(truncatingIfNeeded: $0) }
            }
        }
        for (pixels, usesFilters) in [(streets, false), (slopes, true)] {
            let file = try #require(encoded(pixels, width, height, bands: 3, strategy: .sampled))
            #expect(decoded(file) == pixels)
            #expect(try filters(of: file).contains { $0 != 0 } == usesFilters)
            let other = try #require(encoded(pixels, width, height, bands: 3, strategy: .thorough))
            #expect(usesFilters ? file.count == other.count : file.count < other.count)
        }
    }

    /// The number of every row's filter in a file of one IDAT.
    private func filters(of file: SharedBytes) throws -> [UInt8] {
        let found = PNGChunks(file.span)
        let chunks = try #require(found)
        let range = try #require(chunks.pixels.first)
        let rowCount = 1 + chunks.header.widthPx * 3
        var rows = [UInt8](repeating: 255, count: rowCount * chunks.header.heightPx)
        let status = file.withUnsafeBytes {
            cdeflate_zlib_decompress($0.baseAddress.map { $0 + range.lowerBound }, range.count, &rows, rows.count)
        }
        #expect(status == 0)
        return stride(from: 0, to: rows.count, by: rowCount).map { rows[$0] }
    }

    @Test(arguments: [PNGCoding.Strategy.thorough, .sampled, .flat])
    func aPaletteIsWrittenWhereItIsSmaller(_ strategy: PNGCoding.Strategy) throws {
        // Blocks of 3 colors, one of them half transparent, in disorder.
        let colors: [[UInt8]] = [[200, 10, 10, 255], [10, 20, 220, 128], [0, 0, 0, 255]]
        let flat = (0..<(60 * 60)).flatMap { colors[($0 * $0 / 7) % 3] }
        let file = try #require(encoded(flat, 60, 60, bands: 4, strategy: strategy))
        #expect(file.span.unsafeLoad(fromByteOffset: 25, as: UInt8.self) == PNGCoding.ColorType.palette.rawValue)
        #expect(file.span.unsafeLoad(fromByteOffset: 24, as: UInt8.self) == 2)
        #expect(decoded(file) == flat)
        var random = SeededGenerator(state: 5)
        let photograph = (0..<(60 * 60 * 3)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let direct = try #require(encoded(photograph, 60, 60, bands: 3, strategy: strategy))
        #expect(direct.span.unsafeLoad(fromByteOffset: 25, as: UInt8.self) == PNGCoding.ColorType.color.rawValue)
    }

    @Test(arguments: [(1, 255), (2, 85), (4, 17), (8, 1)])
    func greyStaysGreyInAsFewBitsAsHoldIt(_ bits: Int, _ step: Int) throws {
        let shades = (0..<(90 * 40)).map { UInt8(truncatingIfNeeded: ($0 * $0 / 5 % (255 / step + 1)) * step) }
        let file = try #require(encoded(shades, 90, 40, bands: 1))
        #expect(file.span.unsafeLoad(fromByteOffset: 24, as: UInt8.self) == UInt8(bits))
        #expect(file.span.unsafeLoad(fromByteOffset: 25, as: UInt8.self) == PNGCoding.ColorType.grey.rawValue)
        #expect(decoded(file) == shades)
    }

    @Test func alphaThatIsOpaqueEverywhereIsLeftOut() throws {
        let ramp = (0..<(64 * 64)).flatMap { index -> [UInt8] in
            [UInt8(truncatingIfNeeded: index * 7 / 16), UInt8(truncatingIfNeeded: index), 9, 255]
        }
        let file = try #require(encoded(ramp, 64, 64, bands: 4))
        #expect(PNGDecoder(file)?.bands == 3)
        #expect(decoded(file) == ramp.indices.filter { $0 % 4 != 3 }.map { ramp[$0] })
    }

    @Test func pixelsThatAreThereAlreadyAreTakenOver() throws {
        let pixels = (0..<(70 * 90 * 4)).map { UInt8(truncatingIfNeeded: $0 % 4 == 3 ? $0 / 999 : $0 * 3) }
        func adopted(_ widthPx: Int, _ heightPx: Int, bands: Int) throws -> SharedBytes? {
            let memory = try #require(malloc(pixels.count)).bindMemory(to: UInt8.self, capacity: pixels.count)
            for (index, byte) in pixels.enumerated() { memory[index] = byte }
            let encoder = PNGEncoder(adopting: memory, widthPx: widthPx, heightPx: heightPx, bands: bands)
            return encoder?.finish(strategy: .sampled)
        }
        let file = try #require(try adopted(70, 90, bands: 4))
        #expect(decoded(file) == pixels)
        for (width, height, bands) in [(0, 4, 4), (4, -1, 4), (1 << 12, 1 << 11, 4), (Int.max, 2, 1), (2, 2, 5)] {
            let refused = try adopted(width, height, bands: bands)
            #expect(refused == nil)
        }
    }

    @Test func sizesOutsideTheBoundsAreRefused() {
        for (width, height, bands) in [(0, 1, 3), (1, 1, 5), (4096, 4096, 4), (Int.max, Int.max, 4)] {
            let isMade = PNGEncoder(widthPx: width, heightPx: height, bands: bands, is16Bit: true) != nil
            #expect(!isMade)
        }
        let unfinished = PNGEncoder(widthPx: 2, heightPx: 2, bands: 1, is16Bit: false)
        let file = unfinished?.finish()
        #expect(file == nil)
    }
}
