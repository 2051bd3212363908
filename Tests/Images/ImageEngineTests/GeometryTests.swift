import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct GeometryTests {
        @Test(arguments: [
            ("width=400&height=300&fit=cover", 400, 300), ("width=33&height=77&fit=cover", 33, 77),
            ("width=100", 100, 75), ("height=30", 40, 30), ("width=50&height=50", 50, 38),
            ("width=50&height=50&fit=outside", 67, 50), ("width=90&height=20&fit=fill", 90, 20),
            ("width=90&height=90&fit=contain", 90, 90), ("width=10p", 64, 48), ("width=1", 1, 1),
            ("width=2000&enlarge=1", 2000, 1500), ("crop=10,20,300,100", 300, 100),
            ("crop=square&width=99", 99, 99), ("rotate=90&width=100", 100, 133), ("", 640, 480),
        ])
        func sizesAreExact(_ query: String, _ widthPx: Int, _ heightPx: Int) throws {
            let source = try corners(640, 480)
            let rendered = try render(source, query, .jpeg)
            let header = try ImageEngine.probe(rendered.content, limits: ImageLimits())
            #expect([header.widthPx, header.heightPx] == [widthPx, heightPx])
        }

        @Test(arguments: 1...8, ["", "rotate=none", "flip=h", "flip=v&rotate=90", "rotate=270", "flip=hv&rotate=180"])
        func everyOrientationPutsTheCornersRight(_ exif: Int, _ query: String) throws {
            let size = PixelSize(widthPx: 64, heightPx: 48)
            let source = withOrientation(exif, try corners())
            var element = query == "rotate=none" ? Orientation.identity : Orientation(exif: exif)
            if query.contains("flip=h") {
                element = element.followed(by: Orientation(isMirrored: true, quarterTurns: 0))
            }
            if query.contains("flip=v") || query.contains("flip=hv") {
                element = element.followed(by: Orientation(isMirrored: true, quarterTurns: 2))
            }
            for (text, turns) in [("=90", 1), ("=180", 2), ("=270", 3)] where query.contains(text) {
                element = element.followed(by: Orientation(isMirrored: false, quarterTurns: turns))
            }
            let image = try Decoded(render(source, query).content)
            let turned = element.applied(to: size)
            #expect([image.widthPx, image.heightPx] == [turned.widthPx, turned.heightPx])
            let start = PixelRect(x: 0, y: 0, widthPx: 16, heightPx: 12)
            let end = PixelRect(x: 48, y: 36, widthPx: 16, heightPx: 12)
            #expect(image.shows(red, in: element.applied(to: start, within: size)))
            #expect(image.shows(blue, in: element.applied(to: end, within: size)))
        }

        @Test(.enabled(if: Shared.isPresent), arguments: 1...8)
        func realOrientationsComeOutUpright(_ exif: Int) throws {
            let image = try Decoded(render(Shared.read("images/orient_\(exif).jpg"), "width=160").content)
            #expect([image.widthPx, image.heightPx] == [160, 120])
            #expect(image.shows(red, in: PixelRect(x: 0, y: 0, widthPx: 24, heightPx: 18)))
            #expect(image.shows(blue, in: PixelRect(x: 136, y: 102, widthPx: 24, heightPx: 18)))
            let flipped = try Decoded(render(Shared.read("images/orient_\(exif).jpg"), "width=160&flip=h").content)
            #expect(flipped.shows(red, in: PixelRect(x: 136, y: 0, widthPx: 24, heightPx: 18)))
            let turned = try Decoded(render(Shared.read("images/orient_\(exif).jpg"), "height=160&rotate=90").content)
            #expect([turned.widthPx, turned.heightPx] == [120, 160])
            #expect(turned.shows(red, in: PixelRect(x: 102, y: 0, widthPx: 18, heightPx: 24)))
        }

        /// The same crop through every load shrink of JPEG must lie in the same place.
        @Test(arguments: [800, 400, 200, 100, 50, 25])
        func cropsKeepTheirPlaceAtEveryShrink(_ widthPx: Int) throws {
            let source = try picture(1603, 1201, .jpeg) { x, y in x < 801 ? red : (y < 600 ? green : blue) }
            let image = try Decoded(render(source, "crop=401,300,800,600&width=\(widthPx)").content)
            let half = PixelRect(x: 0, y: 0, widthPx: image.widthPx / 2, heightPx: image.heightPx)
            let quarter = PixelRect(
                x: image.widthPx / 2, y: image.heightPx / 2, widthPx: image.widthPx / 2, heightPx: image.heightPx / 2)
            #expect(image.shows(red, in: half))
            #expect(image.shows(blue, in: quarter))
            // The edge stands at the half: its mean over the row says so to a fraction of a pixel.
            let row = (0..<image.widthPx).map { Double(image[$0, image.heightPx / 4][0]) }
            let edge = row.reduce(0, +) / 255
            #expect(abs(edge - Double(image.widthPx) / 2) < 0.6 + Double(image.widthPx) * 0.002)
        }

        @Test func coverKeepsTheSideThatGravityNames() throws {
            let source = try corners(400, 100, .png)
            let left = try Decoded(render(source, "crop=left&width=50&height=50").content)
            let right = try Decoded(render(source, "crop=right&width=50&height=50").content)
            #expect([left.widthPx, left.heightPx] == [50, 50])
            #expect(left.shows(red, in: PixelRect(x: 0, y: 0, widthPx: 50, heightPx: 12)))
            #expect(right.shows(blue, in: PixelRect(x: 0, y: 38, widthPx: 50, heightPx: 12)))
        }

        @Test func paddingTakesTheBackgroundAlsoRoundGrey() throws {
            let color = try corners(100, 50, .png)
            let grey = try render(color, "filter=grayscale").content
            for source in [color, grey] {
                let image = try Decoded(render(source, "width=80&height=80&fit=contain&background=ff0000").content)
                #expect([image.widthPx, image.heightPx, image.bands] == [80, 80, 3])
                #expect(image[40, 3] == [255, 0, 0])
            }
            let clear = try Decoded(render(color, "width=80&height=80&fit=contain").content)
            #expect(clear[40, 3] == [0, 0, 0, 0])
            #expect(clear[40, 40][3] == 255)
        }
    }
}
