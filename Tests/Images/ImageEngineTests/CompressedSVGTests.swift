import Bytes
import ImagePlan
import Parameters
import Testing
import WrittenDocuments

@testable import ImageEngine

/// #15.24: `.svgz` is read where SVG is, and unpacked within bounds before anything looks at it.
@Suite(.timeLimit(.minutes(5))) struct PackedDrawingTests {
    init() throws { try engineStart.get() }

    private func svg(_ content: String) -> [UInt8] {
        Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><rect width='9' height='9'/>\(content)</svg>"
                .utf8)
    }

    private func error(_ data: [UInt8]) -> ImageError? {
        do throws(ImageError) {
            _ = try CompressedSVG.unpacked(SharedBytes(data))
            return nil
        } catch {
            return error
        }
    }

    /// Level 1 to 12, and a member of blocks that are not compressed at all.
    @Test func packedDrawing_isDrawnAsThePlainOne() throws {
        let plain = svg(String(repeating: "<circle cx='30' cy='20' r='9' fill='red'/>", count: 90))
        let drawn = try render(SharedBytes(plain), "width=120")
        for level in [0, 1, 6, 12] as [Int32] {
            let packed = SharedBytes(Packing.gzip(plain, level: level))
            #expect(ImageEngine.sniff(packed) == .svg && ImageEngine.isPacked(packed), "level \(level)")
            #expect(
                try render(packed, "width=120").content.withUnsafeBytes { Array($0) }
                    == drawn.content.withUnsafeBytes { Array($0) })
            let description = try ImageEngine.describe(packed, in: RenderContext())
            #expect(description.header.format == .svg && description.byteCount == packed.count)
            #expect(description.size == PixelSize(widthPx: 60, heightPx: 40))
            #expect(try ImageEngine.probe(packed, limits: ImageLimits()).drawing?.elementCount == 93)
        }
    }

    @Test func drawingIsToldByItsBeginning_howeverFarThatIsCut() {
        let packed = Packing.gzip(svg(String(repeating: "<g id='a'/>", count: 20_000)), level: 9)
        for count in [200, 300] {
            #expect(ImageEngine.sniff(SharedBytes(Array(packed.prefix(count)))) == .svg, "\(count)")
        }
        // The name of the file in the header, and a comment.
        let named =
            Array(packed[..<3]) + [0x18] + Array(packed[4..<10]) + Array("a.svg\0made by hand\0".utf8) + packed[10...]
        #expect(ImageEngine.sniff(SharedBytes(named)) == .svg)
        for count in 0..<40 { _ = ImageEngine.sniff(SharedBytes(Array(named.prefix(count)))) }
        for other in ["text", "<html>", ""] {
            #expect(
                ImageEngine.sniff(SharedBytes(Packing.gzip(Array(other.utf8) + [UInt8](repeating: 32, count: 400))))
                    == nil)
        }
    }

    @Test func whatIsPackedTooTightly_isRefused_withoutBeingHeld() {
        let limit = DrawingLimits.byteCount
        let spaces = [UInt8](repeating: 0x20, count: limit + 1)
        #expect(error(Packing.gzip(svg("") + spaces)) == .tooComplex(.ratio(limit: CompressedSVG.greatestRatio)))
        // Text that packs badly reaches the other limit.
        var state: UInt32 = 1
        let noise = spaces.map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return 97 + UInt8(state >> 29)
        }
        #expect(error(Packing.gzip(svg("") + noise, level: 1)) == .tooComplex(.byteCount(limit: limit)))
        // A trailer that lies about the size: short, it is found out by what comes; the checksum is right.
        var lying = Packing.gzip(svg("") + spaces)
        lying.replaceSubrange((lying.count - 4)..., with: [0, 1, 0, 0])
        #expect(error(lying) == .tooComplex(.ratio(limit: CompressedSVG.greatestRatio)))
    }

    /// The worst that is let in: as much text as is read of a drawing, packed as tightly as may be.
    @Test func asMuchAsMayBe_isUnpacked() throws {
        var state: UInt32 = 1
        let count = DrawingLimits.byteCount - svg("").count - 16
        let text = (0..<count).map { index -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return index % 200 == 0 ? 97 + UInt8(state >> 29) : 0x20
        }
        let packed = SharedBytes(Packing.gzip(svg("") + text))
        #expect(DrawingLimits.byteCount / packed.count <= CompressedSVG.greatestRatio, "\(packed.count)")
        #expect(try CompressedSVG.unpacked(packed).count == svg("").count + count)
    }

    @Test func whatIsPackedTwice_isRefused() throws {
        let twice = Packing.gzip(Packing.gzip(svg("")))
        #expect(ImageEngine.sniff(SharedBytes(twice)) == .svg)
        #expect(error(twice) == .tooComplex(.expansion))
        #expect(throws: ImageError.tooComplex(.expansion)) {
            try ImageEngine.probe(SharedBytes(twice), limits: ImageLimits())
        }
    }

    @Test func damagedGzip_isCorrupt() {
        var packed = Packing.gzip(svg(String(repeating: "<g id='a'/>", count: 100)))
        packed[packed.count - 6] ^= 0xff
        #expect(error(packed) == .corrupt(log: "the gzip of a drawing is damaged"))
        #expect(error(Array(packed.dropLast(20))) == .corrupt(log: "the gzip of a drawing is damaged"))
    }

    /// What counts in plain text counts in packed text.
    @Test func textIsSurveyed() throws {
        let deep = svg(String(repeating: "<g>", count: 300))
        #expect(throws: ImageError.tooComplex(.nesting(limit: DrawingLimits.nesting))) {
            try ImageEngine.probe(SharedBytes(Packing.gzip(deep)), limits: ImageLimits())
        }
    }

    @Test func packedDrawing_isLaidOverPictures() throws {
        let base = try picture(80, 60, .png) { _, _ in blue }
        let request = try ImageRequest.parse(QueryItems.parse("id=x&overlay=y:center:0:0:50p"))
        func laid(_ overlay: [UInt8]) throws -> [UInt8] {
            try ImageEngine.render(
                RenderSources(base, overlays: [SharedBytes(overlay)]), request: request,
                accepting: Acceptance(only: .png),
                in: RenderContext()
            ).content.withUnsafeBytes { Array($0) }
        }
        #expect(try laid(svg("")) == laid(Packing.gzip(svg(""))))
    }

    @Test(.enabled(if: Shared.isPresent)) func bombOfElsewhere_isRefused() throws {
        let bytes = try Shared.read("hostile/files/bomb.svgz")
        #expect(throws: ImageError.self) { try ImageEngine.probe(bytes, limits: ImageLimits()) }
    }
}
