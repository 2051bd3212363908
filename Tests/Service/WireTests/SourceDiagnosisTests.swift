import Foundation
import TestSupport
import Testing
import VedutaService

/// Sound files that cannot be read here are told from damaged ones, and the answer says what to do (#15.12).
@Suite(.timeLimit(.minutes(5))) struct SourceDiagnosisTests {
    private func answer(_ name: String, _ content: [UInt8], _ query: String = "") throws -> WireResponse {
        let veduta = try CachingService()
        try veduta.pictures.add(name, content)
        return try veduta.client.get("/asset?id=\(name)\(query)")
    }

    @Test func pagesThatDifferInSize_areNotDamaged() throws {
        let tiff = TIFF.file([TIFF.Page(widthPx: 16, heightPx: 8), TIFF.Page(widthPx: 12, heightPx: 8)])
        let all = try answer("pages.tif", tiff, "&pages=all&format=webp")
        #expect(all.code == 422 && all.problem == "source-pages-differ", "\(all.text)")
        // Each by itself is fine.
        #expect(try answer("pages.tif", tiff, "&page=2&format=png").code == 200)
        let equal = TIFF.file([TIFF.Page(widthPx: 16, heightPx: 8), TIFF.Page(widthPx: 16, heightPx: 8)])
        #expect(try answer("pages.tif", equal, "&pages=all&format=webp").code == 200)
    }

    @Test(arguments: [(2, 2), (2, 1), (4, 2)]) func subsampledTIFF_isAKindThatIsNotRead(_ across: Int, _ down: Int)
        throws
    {
        let page = TIFF.Page(widthPx: 16, heightPx: 8, subsampling: (across, down))
        let refused = try answer("color.tif", TIFF.file([page]))
        #expect(refused.code == 415 && refused.problem == "source-subsampled", "\(refused.text)")
        #expect(refused.text.contains("subsampl"))
        // What ends early is damaged all the same.
        let whole = TIFF.file([TIFF.Page(widthPx: 16, heightPx: 8)])
        #expect(try answer("color.tif", Array(whole.prefix(40))).problem == "source-corrupt")
    }

    /// The name of a codec in the description of an item (ISO/IEC 14496-12 §8.11.6).
    @Test(arguments: ["jpeg", "unci", "vvc1"]) func otherCodecsInHEIF_areNotDamaged(_ codec: String) throws {
        let veduta = try CachingService()
        let made = try veduta.client.get("/asset?id=a.png&width=64&format=avif")
        #expect(made.code == 200)
        var content = Array(made.content)
        let (item, known) = (Array("infe".utf8), Array("av01".utf8))
        let places = content.indices.filter { content[$0...].starts(with: item) }.map { $0 + 12 }
            .filter { content[$0...].starts(with: known) }
        #expect(!places.isEmpty)
        for place in places { content.replaceSubrange(place..<(place + 4), with: codec.utf8) }
        // The brand does not matter.
        for (name, brand) in [("other.avif", "avif"), ("other.heic", "heic")] {
            content.replaceSubrange(8..<12, with: brand.utf8)
            let refused = try answer(name, content)
            #expect(refused.code == 415 && refused.problem == "source-unsupported", "\(refused.text)")
        }
    }

    @Test(arguments: [(17_000, 10), (10, 20_000), (17_000, 17_000)])
    func picturesBeyondTheirDecodersLimit_areTooLarge(_ widthPx: Int, _ heightPx: Int) throws {
        let veduta = try CachingService()
        let small = try veduta.client.get("/asset?id=a.png&width=64&height=64&fit=fill&enlarge=1&format=avif")
        #expect(small.code == 200)
        var content = Array(small.content)
        // The size is told by the property `ispe`: version and flags, width, height (ISO/IEC 23008-12 §6.5.3).
        let mark = try #require(content.indices.first { content[$0...].starts(with: Array("ispe".utf8)) })
        for (offset, value) in [(8, widthPx), (12, heightPx)] {
            for index in 0..<4 { content[mark + offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        let refused = try answer("wide.avif", content)
        #expect(refused.code == 413 && refused.problem == "source-too-large", "\(refused.text)")
        #expect(refused.text.contains("\(widthPx)×\(heightPx)"))
        #expect(
            try answer("broken.avif", Array(small.content.prefix(small.content.count / 2))).problem == "source-corrupt")
    }
}

/// Uncompressed TIFF files, as TIFF 6.0 lays them out.
private enum TIFF {
    struct Page {
        var widthPx: Int
        var heightPx: Int
        /// How many pixels share a sample of color; nil is RGB.
        var subsampling: (across: Int, down: Int)?
    }

    static func file(_ pages: [Page]) -> [UInt8] {
        var file: [UInt8] = Array("II".utf8) + number(42, 2) + number(8, 4)
        for (index, page) in pages.enumerated() {
            let pixels = content(of: page)
            // Entries of 12 bytes, the offset of the next directory, three numbers of bits, the pixels.
            var entries: [(tag: Int, type: Int, values: [Int])] = [
                (256, 3, [page.widthPx]), (257, 3, [page.heightPx]), (258, 3, [8, 8, 8]), (259, 3, [1]),
                (262, 3, [page.subsampling == nil ? 2 : 6]), (273, 4, [0]), (277, 3, [3]), (278, 3, [page.heightPx]),
                (279, 4, [pixels.count]), (284, 3, [1]),
            ]
            if let factors = page.subsampling { entries.append((530, 3, [factors.across, factors.down])) }
            let bits = file.count + 2 + 12 * entries.count + 4
            file += number(entries.count, 2)
            for entry in entries {
                file += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, 4)
                switch entry.tag {
                case 258: file += number(bits, 4)
                case 273: file += number(bits + 6, 4)
                default:
                    let value = entry.values.flatMap { number($0, entry.type == 3 ? 2 : 4) }
                    file += value + [UInt8](repeating: 0, count: 4 - value.count)
                }
            }
            file += number(index + 1 < pages.count ? bits + 6 + pixels.count : 0, 4)
            for _ in 0..<3 { file += number(8, 2) }
            file += pixels
        }
        return file
    }

    private static func content(of page: Page) -> [UInt8] {
        guard let factors = page.subsampling else {
            return [UInt8](repeating: 100, count: page.widthPx * page.heightPx * 3)
        }
        let across = (page.widthPx + factors.across - 1) / factors.across
        let down = (page.heightPx + factors.down - 1) / factors.down
        return [UInt8](repeating: 100, count: across * down * (factors.across * factors.down + 2))
    }

    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
