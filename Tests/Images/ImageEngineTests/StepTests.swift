import Bytes
import Colors
import Foundation
import Glibc
import ImagePlan
import Parameters
import Synchronization
import Testing

@testable import ImageEngine

/// Carries out `steps` on `source` and encodes what comes out; `look` names a file for the eye (VEDUTA_LOOK).
func carryOut(
    _ steps: [ImageStep], on source: SharedBytes, output: PixelSize? = nil, overlay: SharedBytes? = nil,
    overlays: [SharedBytes] = [], texts: TextPainter? = nil, pages: PageSelection = .one(0),
    format: OutputFormat = .png, profile: ColorProfile = .srgb, isNamed: Bool = true, look: String? = nil,
    shouldStop: @escaping @Sendable () -> Bool = { false }
) throws -> SharedBytes {
    try engineStart.get()
    let opened = try Source(source, limits: ImageLimits())
    let size = PixelSize(widthPx: opened.header.widthPx, heightPx: opened.header.heightPx)
    let plan = ImagePlan(
        source: size, pages: pages, steps: steps, output: output ?? size,
        encoding: Encoding(formats: [format], profile: profile))
    let sources = RenderSources(source, overlays: [overlay].compactMap(\.self) + overlays, texts: texts)
    let planned = PlannedImage(
        plan: plan, header: opened.header, sources: sources,
        used: UsedSources(sources: sources, scale: .one, header: nil), options: RenderOptions(), analysis: [:],
        analysisSteps: [], analysisCost: nil, overlayCost: nil)
    var pipeline = Pipeline(planned, opened, isNamed: isNamed, in: RenderContext(shouldStop: shouldStop))
    let image = try pipeline.run(Stages.pixels)
    let content = try image.encoded(
        as: format,
        settings: EncoderSettings(profile: pipeline.colors.profile(for: image), frames: pipeline.timing(of: image)),
        in: RenderContext(shouldStop: shouldStop))
    if let look, let folder = getenv("VEDUTA_LOOK") {
        try Data(content.array).write(to: URL(fileURLWithPath: "\(String(cString: folder))/\(look).\(format.rawValue)"))
    }
    return content
}

extension EngineTests {
    @Suite struct StepTests {
        private func even(_ color: [UInt8], _ widthPx: Int = 60, _ heightPx: Int = 40) throws -> SharedBytes {
            try picture(widthPx, heightPx, .png) { _, _ in color }
        }

        @Test func aTurnedEvenPictureIsEvenInsideAndSmoothAtItsEdge() throws {
            let canvas = PixelSize(widthPx: 90, heightPx: 80)
            let steps = [ImageStep.rotate(degrees: 30, canvas: canvas, background: .transparent)]
            let image = try Decoded(
                carryOut(steps, on: even([200, 100, 50, 255]), output: canvas, look: "rotate-even"))
            #expect(image.widthPx == 90 && image.heightPx == 80 && image.bands == 4)
            var levels: Set<UInt8> = []
            var area = 0.0
            for y in 0..<80 {
                for x in 0..<90 {
                    let pixel = image[x, y]
                    levels.insert(pixel[3])
                    area += Double(pixel[3]) / 255
                    // No dark rim: the color stays what it is however little of it there is.
                    if pixel[3] > 8 {
                        #expect(zip(pixel, [200, 100, 50]).allSatisfy { abs(Int($0) - $1) <= 255 / Int(pixel[3]) + 1 })
                    }
                }
            }
            #expect(abs(area - 2400) < 12)
            #expect(levels.count > 50)
        }

        /// Clockwise: what is at the right goes down.
        @Test func turnsGoClockwiseAroundTheMiddle() throws {
            let source = try picture(61, 61, .png) { x, y in abs(x - 50) < 4 && abs(y - 30) < 4 ? red : green }
            let size = PixelSize(widthPx: 61, heightPx: 61)
            for (degrees, x, y) in [(45.0, 44, 44), (90, 30, 50), (180, 10, 30), (315, 44, 16)] {
                let steps = [ImageStep.rotate(degrees: degrees, canvas: size, background: .black)]
                #expect(try Decoded(carryOut(steps, on: source))[x, y] == [255, 0, 0], "\(degrees)")
            }
        }

        /// Four times 90° by the resampling turn is the picture itself, to the last sample.
        @Test func quartersByResamplingAreExact() throws {
            let source = try texture(41, 41, .png)
            let size = PixelSize(widthPx: 41, heightPx: 41)
            let turn = ImageStep.rotate(degrees: 90, canvas: size, background: .black)
            let once = try Decoded(carryOut([turn], on: source)).samples
            #expect(
                try Decoded(carryOut([.orient(Orientation(isMirrored: false, quarterTurns: 1))], on: source)).samples
                    == once)
            let whole = try Decoded((0..<4).reduce(source) { source, _ in try carryOut([turn], on: source) }).samples
            #expect(try Decoded(source).samples == whole)
        }

        @Test func straightenedPicturesShowNothingOfTheBackground() throws {
            let canvas = PixelSize(widthPx: 40, heightPx: 26)
            let steps = [ImageStep.rotate(degrees: 12, canvas: canvas, background: Color(red: 255, green: 0, blue: 0))]
            let image = try Decoded(carryOut(steps, on: even([10, 200, 30, 255]), output: canvas))
            #expect(Set(image.samples) == Set<UInt8>([10, 200, 30]))
        }

        @Test func outlinesCoverTheirArea() throws {
            let source = try even([10, 200, 30, 255], 101, 71)
            let cases: [(MaskShape, Double)] = [
                (.rounded(radiusPx: 20), 101 * 71 - (4 - .pi) * 400), (.ellipse, .pi * 101 * 71 / 4),
                (.circle, .pi * 71 * 71 / 4), (.rounded(radiusPx: 1000), 101 * 71 - (4 - .pi) * 35.5 * 35.5),
            ]
            for (outline, area) in cases {
                let image = try Decoded(carryOut([.mask(outline)], on: source, look: "mask-\(outline)"))
                #expect(image.bands == 4)
                let alpha = stride(from: 3, to: image.samples.count, by: 4).map { Int(image.samples[$0]) }
                #expect(abs(Double(alpha.reduce(0, +)) / 255 - area) < 2, "\(outline)")
                // Symmetric in both directions.
                for y in 0..<71 {
                    for x in 0..<101 {
                        #expect(image[x, y][3] == image[100 - x, y][3])
                        #expect(image[x, y][3] == image[x, 70 - y][3])
                    }
                }
                #expect(image[50, 35] == [10, 200, 30, 255])
                #expect(image[0, 0] == [0, 0, 0, 0])
            }
        }

        @Test func outlinesMultiplyAlpha() throws {
            let source = try even([50, 50, 50, 128], 50, 50)
            let image = try Decoded(carryOut([.mask(.circle)], on: source))
            #expect(image[25, 25][3] == 128)
            let grey = try carryOut([.filter(.grayscale)], on: even([90, 90, 90, 255]))
            let cut = try Decoded(carryOut([.mask(.ellipse)], on: grey))
            #expect(cut[25, 25].last == 255 && cut[0, 0].last == 0)
        }

        @Test(arguments: [
            (Compass.topLeft, 3, 5), (.top, 23, 5), (.topRight, 37, 5), (.left, 3, 20), (.center, 23, 20),
            (.right, 37, 20), (.bottomLeft, 3, 25), (.bottom, 23, 25), (.bottomRight, 37, 25),
        ])
        func overlaysLieWhereTheyShould(_ gravity: Compass, _ x: Int, _ y: Int) throws {
            let base = try even([0, 160, 0, 255])
            let mark = try picture(20, 10, .png) { _, _ in red }
            let step = ImageStep.overlay(Overlay(id: "m", gravity: gravity, x: 3, y: 5))
            let image = try Decoded(carryOut([step], on: base, overlay: mark))
            let rect = PixelRect(x: x, y: y, widthPx: 20, heightPx: 10)
            for row in 0..<40 {
                for column in 0..<60 {
                    let inside = rect.intersection(PixelRect(x: column, y: row, widthPx: 1, heightPx: 1)) != nil
                    let expected: [UInt8] = inside ? [255, 0, 0] : [0, 160, 0]
                    #expect(image[column, row] == expected, "\(column) \(row)")
                }
            }
        }

        @Test func overlaysMixByAlphaAndOpacity() throws {
            let base = try even([0, 100, 200, 255])
            let mark = try picture(20, 10, .png) { _, _ in [128, 0, 0, 128] }
            let step = ImageStep.overlay(Overlay(id: "m", opacity: 0.5))
            let pixel = try Decoded(carryOut([step], on: base, overlay: mark))[30, 20]
            // A quarter of pure red.
            #expect(zip(pixel, [64, 75, 150]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(pixel)")
            let clear = try picture(60, 40, .png) { _, _ in [0, 0, 0, 0] }
            let whole = ImageStep.overlay(Overlay(id: "m"))
            let kept = try Decoded(carryOut([whole], on: clear, overlay: mark))
            #expect(kept[30, 20] == [255, 0, 0, 128])
            #expect(kept[1, 1] == [0, 0, 0, 0])
        }

        @Test func overlaysAreClippedScaledAndTurnedUpright() throws {
            let base = try even([0, 160, 0, 255])
            let mark = withOrientation(6, try picture(40, 20, .jpeg) { x, _ in x < 20 ? red : blue })
            // Upright it is 20 × 40, red above.
            let step = ImageStep.overlay(Overlay(id: "m", size: .percent(50)))
            let image = try Decoded(carryOut([step], on: base, overlay: mark, look: "overlay-upright"))
            #expect(image.shows(red, in: PixelRect(x: 25, y: 10, widthPx: 10, heightPx: 10)))
            #expect(image.shows(blue, in: PixelRect(x: 25, y: 20, widthPx: 10, heightPx: 10)))
            #expect(image[24, 20] == [0, 160, 0])
            let huge = Overlay(id: "m", gravity: .topLeft, x: -30, y: -100, size: .times(10))
            let cut = try Decoded(carryOut([.overlay(huge)], on: base, overlay: mark))
            #expect(cut.shows(red, in: PixelRect(x: 0, y: 0, widthPx: 60, heightPx: 40)))
            let outside = Overlay(id: "m", gravity: .topLeft, x: 100, y: 0)
            #expect(
                try Decoded(carryOut([.overlay(outside)], on: base, overlay: mark)).samples == Decoded(base).samples)
        }

        @Test func overlaysAreDrawnInTheOrderOfTheRequest() throws {
            let base = try even([0, 160, 0, 255])
            let marks = [try picture(20, 10, .png) { _, _ in red }, try picture(20, 10, .png) { _, _ in blue }]
            let steps: [ImageStep] = [
                .overlay(Overlay(id: "a", gravity: .topLeft)), .overlay(Overlay(id: "b", gravity: .topLeft, x: 10)),
            ]
            let image = try Decoded(carryOut(steps, on: base, overlays: marks))
            #expect(image.shows(red, in: PixelRect(x: 0, y: 0, widthPx: 10, heightPx: 10)))
            #expect(image.shows(blue, in: PixelRect(x: 10, y: 0, widthPx: 20, heightPx: 10)))
            #expect(throws: ImageError.self) { _ = try carryOut(steps, on: base, overlays: [marks[0]]) }
        }

        @Test(arguments: [(90, red, blue), (180, blue, red), (270, blue, red)])
        func turnedOverlaysStayAroundTheirMiddle(_ degrees: Int, _ first: [UInt8], _ second: [UInt8]) throws {
            let base = try even([0, 160, 0, 255])
            let mark = try picture(20, 10, .png) { x, _ in x < 10 ? red : blue }
            let step = ImageStep.overlay(Overlay(id: "m", degrees: PlainDecimal(integerLiteral: Int64(degrees))))
            let image = try Decoded(carryOut([step], on: base, overlay: mark, look: "overlay-turned-\(degrees)"))
            let isUpright = degrees == 180
            let (left, top) = isUpright ? (21, 16) : (26, 11)
            let low = PixelRect(x: left, y: top, widthPx: 8, heightPx: 8)
            let high = PixelRect(x: isUpright ? 31 : left, y: isUpright ? top : 21, widthPx: 8, heightPx: 8)
            #expect(image.shows(first, in: low) && image.shows(second, in: high))
            #expect(image[isUpright ? 19 : 24, 20] == [0, 160, 0])
        }

        @Test func turnedOverlays_haveSmoothEdgesAndTheirArea() throws {
            let base = try even([0, 0, 0, 255], 100, 100)
            let mark = try picture(50, 20, .png) { _, _ in [255, 255, 255, 255] }
            let step = ImageStep.overlay(Overlay(id: "m", degrees: 30))
            let image = try Decoded(carryOut([step], on: base, overlay: mark, look: "overlay-turned"))
            var (area, levels) = (0.0, Set<UInt8>())
            for y in 0..<100 {
                for x in 0..<100 {
                    area += Double(image[x, y][0]) / 255
                    levels.insert(image[x, y][0])
                }
            }
            #expect(abs(area - 1000) < 20 && levels.count > 20)
        }

        @Test func tilesCoverTheImageFromThePlaceOn() throws {
            let base = try even([0, 160, 0, 255])
            let mark = try picture(8, 6, .png) { _, _ in red }
            let step = ImageStep.overlay(Overlay(id: "m", gravity: .topLeft, x: 3, y: 2, gap: 4))
            let image = try Decoded(carryOut([step], on: base, overlay: mark, look: "overlay-tiled"))
            for y in 0..<40 {
                for x in 0..<60 {
                    let isMark = (x - 3 + 120) % 12 < 8 && (y - 2 + 100) % 10 < 6
                    #expect(image[x, y] == (isMark ? [255, 0, 0] : [0, 160, 0]), "\(x) \(y)")
                }
            }
            let seamless = ImageStep.overlay(Overlay(id: "m", degrees: 33, gap: 0))
            let full = try Decoded(carryOut([seamless], on: base, overlay: mark))
            #expect(full.shows(red, in: PixelRect(x: 0, y: 0, widthPx: 60, heightPx: 40)))
        }

        @Test func hugeOverlaysThatAreTurned_areHeldWhereTheImageShowsThem() throws {
            let base = try even([0, 160, 0, 255])
            let mark = try picture(400, 300, .png) { x, _ in x < 200 ? red : blue }
            let step = ImageStep.overlay(Overlay(id: "m", size: .times(10), degrees: 180))
            let image = try Decoded(carryOut([step], on: base, overlay: mark))
            #expect(image.shows(blue, in: PixelRect(x: 0, y: 0, widthPx: 10, heightPx: 40)))
            #expect(image.shows(red, in: PixelRect(x: 50, y: 0, widthPx: 10, heightPx: 40)))
        }

        @Test func textsAreDrawnLikeOverlays() throws {
            let base = try even([0, 160, 0, 255])
            // Half of red, premultiplied.
            let rgba = SharedBytes((0..<50).flatMap { _ in [128, 0, 0, 128] as [UInt8] })
            let pixels = try #require(DecodedPixels(widthPx: 10, heightPx: 5, rgba: rgba))
            let asked = Mutex<[PixelSize]>([])
            let texts = TextPainter { index, size throws(ImageError) in
                asked.withLock { $0.append(size) }
                return index == 1 ? pixels : nil
            }
            func text(_ gravity: Compass) -> ImageStep {
                .overlay(Overlay(.text(TextOverlay("a")), gravity: gravity, x: -4))
            }
            let image = try Decoded(carryOut([text(.center), text(.topLeft)], on: base, texts: texts))
            let size = PixelSize(widthPx: 60, heightPx: 40)
            #expect(asked.withLock { $0 } == [size, size])
            #expect(image[6, 0] == [0, 160, 0] && image[5, 5] == [0, 160, 0])
            #expect(zip(image[0, 0], [128, 80, 0]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(image[0, 0])")
            #expect(throws: ImageError.self) { _ = try carryOut([text(.center)], on: base) }
        }

        @Test func brokenOrMissingOverlaysAreErrors() throws {
            let base = try even([0, 160, 0, 255])
            let mark = try texture(200, 200, .png)
            let broken = SharedBytes(Array(mark.array.prefix(mark.count / 2)))
            let step = ImageStep.overlay(Overlay(id: "m"))
            #expect(throws: ImageError.self) { _ = try carryOut([step], on: base, overlay: broken) }
            #expect(throws: ImageError.self) { _ = try carryOut([step], on: base) }
        }

        @Test func everyStepStopsWhenAsked() throws {
            let source = try texture(300, 300, .png)
            let size = PixelSize(widthPx: 300, heightPx: 300)
            let steps: [ImageStep] = [
                .rotate(degrees: 5, canvas: size, background: .black), .mask(.circle), .overlay(Overlay(id: "m")),
                .orient(Orientation(isMirrored: false, quarterTurns: 1)),
            ]
            for step in steps {
                #expect(throws: ImageError.cancelled) {
                    _ = try carryOut([step], on: source, overlay: source, shouldStop: { true })
                }
            }
        }
    }
}
