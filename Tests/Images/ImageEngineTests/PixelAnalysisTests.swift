import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct PixelAnalysisTests {
        private let topLeft = ImageCorner(isRight: false, isBottom: false)

        private func answer(
            _ question: PixelQuery, _ source: SharedBytes, shouldStop: @escaping @Sendable () -> Bool = { false }
        ) throws -> PixelQueryResult {
            try engineStart.get()
            let header = try ImageEngine.probe(source, limits: ImageLimits())
            return try PixelAnalysis(
                bytes: source, header: header, page: 0, context: RenderContext(shouldStop: shouldStop)
            ).result(of: question)
        }

        /// The middle of what is kept, in pixels.
        private func focus(
            _ interest: Interest, _ source: SharedBytes, keeping: PixelSize, region: PixelRect
        ) throws -> (x: Double, y: Double)? {
            switch try answer(.focus(interest, region: region, keeping: keeping), source) {
            case .point(let x, let y): (x * Double(region.widthPx), y * Double(region.heightPx))
            case .nothing: nil
            case .region: try #require(nil as (Double, Double)?)
            }
        }

        @Test func bordersAreCutToTheLastPixel() throws {
            let source = try picture(90, 70, .png) { x, y in
                (12...60).contains(x) && (30...33).contains(y) ? [200, 0, 0, 255] : [250, 250, 250, 255]
            }
            #expect(
                try answer(.trim(tolerance: 0, corner: topLeft), source)
                    == .region(PixelRect(x: 12, y: 30, widthPx: 49, heightPx: 4)))
            #expect(
                try answer(.trim(tolerance: 249, corner: topLeft), source)
                    == .region(PixelRect(x: 12, y: 30, widthPx: 49, heightPx: 4)))
            #expect(try answer(.trim(tolerance: 250, corner: topLeft), source) == .nothing)
        }

        @Test func everySideIsFoundAlone() throws {
            for (x, y) in [(0, 0), (39, 0), (0, 29), (39, 29), (20, 15)] where (x, y) != (0, 0) {
                let source = try picture(40, 30, .png) { $0 == x && $1 == y ? red : green }
                #expect(
                    try answer(.trim(tolerance: 5, corner: topLeft), source)
                        == .region(PixelRect(x: x, y: y, widthPx: 1, heightPx: 1)))
            }
            // The first pixel is the border: where it alone differs, all the rest is picture.
            let odd = try picture(40, 30, .png) { $0 == 0 && $1 == 0 ? red : green }
            #expect(
                try answer(.trim(tolerance: 5, corner: topLeft), odd)
                    == .region(PixelRect(x: 0, y: 0, widthPx: 40, heightPx: 30)))
        }

        @Test func transparencyIsABorderWhateverIsBelow() throws {
            let source = try picture(50, 50, .png) { x, y in
                (10..<30).contains(x) && (5..<20).contains(y) ? [100, 100, 100, 255] : [0, 0, 0, 0]
            }
            #expect(
                try answer(.trim(tolerance: 3, corner: topLeft), source)
                    == .region(PixelRect(x: 10, y: 5, widthPx: 20, heightPx: 15)))
            let even = try picture(50, 50, .png) { _, _ in [0, 0, 0, 0] }
            #expect(try answer(.trim(tolerance: 3, corner: topLeft), even) == .nothing)
        }

        @Test func toleranceForgivesWhatCompressionDoes() throws {
            let source = try picture(160, 120, .jpeg) { x, y in
                (40..<120).contains(x) && (24..<96).contains(y) ? [30, 60, 90, 255] : [255, 255, 255, 255]
            }
            guard case .region(let rect) = try answer(.trim(tolerance: 40, corner: topLeft), source) else {
                Issue.record("nothing found")
                return
            }
            #expect(rect == PixelRect(x: 40, y: 24, widthPx: 80, heightPx: 72))
        }

        @Test func halfAPictureHasNoBorders() throws {
            let whole = try texture(300, 300, .png).array
            #expect(throws: ImageError.self) {
                _ = try answer(.trim(tolerance: 3, corner: topLeft), SharedBytes(Array(whole.prefix(whole.count / 2))))
            }
            #expect(throws: ImageError.cancelled) {
                _ = try answer(.trim(tolerance: 3, corner: topLeft), SharedBytes(whole), shouldStop: { true })
            }
        }

        @Test(arguments: [Interest.attention, .entropy], [(100, 60), (700, 60), (400, 300), (90, 540), (710, 520)])
        func aDetailOnAnEvenGroundIsFound(_ interest: Interest, _ place: (Int, Int)) throws {
            let source = try picture(800, 600, .jpeg) { x, y in
                guard abs(x - place.0) < 60, abs(y - place.1) < 50 else { return [120, 140, 160, 255] }
                return (x / 8 + y / 8) % 2 == 0 ? [220, 60, 40, 255] : [30, 200, 40, 255]
            }
            let region = PixelRect(x: 0, y: 0, widthPx: 800, heightPx: 600)
            let keeping = PixelSize(widthPx: 200, heightPx: 200)
            let point = try #require(try focus(interest, source, keeping: keeping, region: region))
            #expect(abs(point.x - Double(max(100, min(700, place.0)))) < 30)
            #expect(abs(point.y - Double(max(100, min(500, place.1)))) < 30)
            // In a region without it there is nothing, or it is elsewhere.
            let far = PixelRect(x: place.0 < 400 ? 480 : 0, y: 0, widthPx: 320, heightPx: 600)
            if abs(place.0 - 400) > 100 {
                #expect(try focus(interest, source, keeping: keeping, region: far) == nil)
            }
        }

        @Test(arguments: [Interest.attention, .entropy])
        func evenPicturesSayNothing(_ interest: Interest) throws {
            let region = PixelRect(x: 0, y: 0, widthPx: 300, heightPx: 200)
            let keeping = PixelSize(widthPx: 100, heightPx: 100)
            for color in [[255, 255, 255, 255], [0, 0, 0, 255], [200, 30, 30, 255], [224, 172, 140, 255]] as [[UInt8]] {
                let source = try picture(300, 200, .jpeg) { _, _ in color }
                #expect(try focus(interest, source, keeping: keeping, region: region) == nil, "\(color)")
            }
            let clear = try picture(300, 200, .png) { _, _ in [0, 0, 0, 0] }
            #expect(try focus(interest, clear, keeping: keeping, region: region) == nil)
        }

        @Test func attentionGoesToSkinRatherThanToLeaves() throws {
            var random: UInt32 = 1
            let source = try picture(600, 200, .png) { x, y in
                random = random &* 1_664_525 &+ 1_013_904_223
                let noise = Int(random >> 27)
                let (dx, dy) = (x - 480, y - 100)
                if dx * dx + dy * dy < 60 * 60 {
                    return [UInt8(200 + noise / 2), UInt8(150 + noise / 2), UInt8(120 + noise / 2), 255]
                }
                return [UInt8(40 + noise), UInt8(90 + noise), UInt8(30 + noise), 255]
            }
            let region = PixelRect(x: 0, y: 0, widthPx: 600, heightPx: 200)
            let keeping = PixelSize(widthPx: 200, heightPx: 200)
            let point = try #require(try focus(.attention, source, keeping: keeping, region: region))
            #expect(abs(point.x - 480) < 40)
        }

        @Test(.enabled(if: Shared.isPresent), arguments: ["photo12_sunset", "photo12_seeding", "photo1_p3"])
        func realPhotographsHaveAPointOfInterest(_ name: String) throws {
            let source = try Shared.read("images/\(name).jpg")
            let header = try ImageEngine.probe(source, limits: ImageLimits())
            let side = min(header.widthPx, header.heightPx) * 2 / 3
            let region = PixelRect(x: 0, y: 0, widthPx: header.widthPx, heightPx: header.heightPx)
            for interest in [Interest.attention, .entropy] {
                let keeping = PixelSize(widthPx: side, heightPx: side)
                let point = try #require(try focus(interest, source, keeping: keeping, region: region))
                let kept = PixelRect(
                    x: max(0, Int(point.x) - side / 2), y: max(0, Int(point.y) - side / 2), widthPx: side,
                    heightPx: side)
                let small = PixelSize(widthPx: 300, heightPx: 300)
                _ = try carryOut(
                    [.extract(kept), .resize(small)], on: source, output: small, look: "focus-\(name)-\(interest)")
                let again = try #require(try focus(interest, source, keeping: keeping, region: region))
                #expect(again == point)
            }
            let whole = PixelSize(widthPx: 450, heightPx: 450 * header.heightPx / header.widthPx)
            _ = try carryOut([.resize(whole)], on: source, output: whole, look: "focus-\(name)")
        }
    }
}
