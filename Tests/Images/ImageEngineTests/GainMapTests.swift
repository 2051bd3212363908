import Bytes
import ImagePlan
import Parameters
import SeededRandom
import Testing

@testable import ImageEngine

extension EngineTests {
    /// #19: the gain maps of HDR photographs.
    @Suite struct GainMapTests {
        private func made(
            _ source: SharedBytes, _ query: String, _ output: OutputFormat = .jpeg
        ) throws -> (image: RenderedImage, map: GainMapFile?) {
            let image = try render(source, query, output)
            return (image, GainMapFile.find(in: image.content, limits: ImageLimits()))
        }

        /// Whether the map is bright just where the image is red, a pixel of the map at the edges left aside.
        private func agrees(_ image: RenderedImage, _ map: GainMapFile) throws -> Bool {
            let (base, gains) = (try Decoded(image.content), try Decoded(map.bytes))
            for y in 1..<(gains.heightPx - 1) {
                for x in 1..<(gains.widthPx - 1) {
                    func isRed(_ dx: Int, _ dy: Int) -> Bool {
                        let color = base[
                            min(base.widthPx - 1, (2 * (x + dx) + 1) * base.widthPx / (2 * gains.widthPx)),
                            min(base.heightPx - 1, (2 * (y + dy) + 1) * base.heightPx / (2 * gains.heightPx))]
                        return color[0] > color[1]
                    }
                    let near = [isRed(-1, -1), isRed(1, -1), isRed(-1, 1), isRed(1, 1)]
                    if Set(near).count == 1, (gains[x, y][0] > 128) != near[0] { return false }
                }
            }
            return true
        }

        @Test(arguments: [
            "width=400", "width=333", "width=300&height=300&fit=cover&gravity=top-left",
            "width=300&height=300&fit=cover", "width=300&height=280&fit=cover&gravity=bottom-right", "rotate=90",
            "rotate=180&width=400",
            "rotate=270&width=400", "flip=h", "flip=v&rotate=90", "flip=hv&width=270", "crop=0,0,0.5,0.5",
            "crop=37,41,500,300&width=300", "crop=100,50,500,500&rotate=90&flip=v&width=301",
            "width=300&height=500&fit=fill",
            "width=1000&enlarge=1", "trim=10", "filter=sharpen:1&width=400", "width=400&progressive=1", "quality=95",
            "width=400&quality=auto:70", "width=200&hdr=keep", "width=40&hdr=keep", "rotate=none&width=500",
        ])
        func theMapLiesWhereTheImageDoes(query: String) throws {
            for isColor in [false, true] {
                let source = try HDRPhotograph(isColor: isColor).file()
                let (image, found) = try made(source, query)
                let map = try #require(found, "\(image.report.gainMap as Any)")
                #expect(try agrees(image, map), "\(query)")
                // A quarter of the image, as in the source.
                #expect(abs(map.header.size.widthPx * 4 - image.widthPx) <= 3, "\(map.header)")
                #expect(abs(map.header.size.heightPx * 4 - image.heightPx) <= 3, "\(map.header)")
                #expect(image.report.gainMap?.size == map.header.size)
                #expect(map.header.isColor == isColor)
            }
        }

        @Test func orientationOfEXIF_turnsTheMapToo() throws {
            for orientation in 1...8 {
                let plain = try HDRPhotograph().file()
                let tiff =
                    Array("MM\0*".utf8) + bigEndian(8, 4) + bigEndian(1, 2) + bigEndian(0x0112, 2) + bigEndian(3, 2)
                let exif =
                    Array("Exif\0\0".utf8) + tiff + bigEndian(1, 4) + bigEndian(orientation, 2) + [0, 0, 0, 0, 0, 0]
                // The places of the directory are wrong now.
                let (image, map) = try made(inserting(0xe1, exif, into: plain), "width=500")
                #expect(image.report.header.orientation == orientation)
                #expect(try agrees(image, #require(map)), "\(orientation)")
            }
        }

        @Test func numbersStay_andNothingElseOfTheMapIsPassedOn() throws {
            let (image, found) = try made(HDRPhotograph().file(), "width=400")
            let map = try #require(found)
            #expect(map.metadata.iso == HDRPhotograph.iso)
            #expect(map.metadata.properties[.gainMapMax] == ["2.321928"])
            #expect(map.metadata.properties[.gainMapMin] == ["-0.25"])
            #expect(map.metadata.properties[.capacityMax] == ["2.5"] && map.metadata.properties.count == 8)
            let text = String(decoding: image.content.array, as: UTF8.self)
            #expect(!text.contains("cellar"))
            // The directories name the place: behind the first picture, up to the end.
            let end = try #require(JPEGScan(image.content.span, limit: 10).end)
            #expect(text.contains("Item:Length=\"\(image.content.count - end)\""))
            #expect(map.bytes.count == image.content.count - end)
        }

        @Test func eachKindOfMetadata_isEnough() throws {
            let kinds = [
                HDRPhotograph(hasISO: false), HDRPhotograph(hasXMP: false), HDRPhotograph(hasDirectory: false),
                HDRPhotograph(shift: 7), HDRPhotograph(shift: -100_000_000), HDRPhotograph(shift: 100_000_000),
            ]
            for kind in kinds {
                let map = try #require(made(kind.file(), "width=400").map, "\(kind)")
                #expect(map.metadata.properties.isEmpty == !kind.hasXMP, "\(kind)")
                #expect((map.metadata.iso == nil) == !kind.hasISO, "\(kind)")
            }
            #expect(
                try made(HDRPhotograph(hasXMP: false, hasISO: false).file(), "width=400").image.report.gainMap == nil)
        }

        @Test(arguments: [
            ("width=400&filter=grayscale", GainMapOmission.painted), ("width=400&filter=blur:3", .painted),
            ("width=400&radius=20", .painted), ("rotate=12", .painted),
            ("width=400&height=400&fit=contain&background=white", .painted), ("width=400&hdr=drop", .request),
            ("width=256", .thumbnail), ("width=400&format=png", .format), ("width=400&bytes=5k", .bytes),
        ])
        func whatWouldBeWrongIsDropped(query: String, omission: GainMapOmission) throws {
            let (image, map) = try made(HDRPhotograph().file(), query)
            #expect(map == nil)
            #expect(image.report.gainMap == GainMapReport(omission: omission))
        }

        @Test func gainsOfColors_holdForTheColorsOfTheSource() throws {
            let wide = try render(
                picture(400, 300, .png) { x, y in [UInt8(x / 2), UInt8(y / 2), 90, 255] }, "profile=p3", .jpeg)
            for isColor in [false, true] {
                let size = PixelSize(widthPx: 400, heightPx: 300)
                let source = try HDRPhotograph(size: size, mapSize: size, isColor: isColor).file(wide.content)
                #expect(try (made(source, "width=300").map == nil) == isColor)
                #expect(try made(source, "width=300&profile=keep").map != nil)
            }
        }

        @Test func bytes_countTheMap() throws {
            let source = try HDRPhotograph().file()
            let (image, map) = try made(source, "width=600&bytes=20k")
            #expect(map != nil && image.content.count <= 20_000)
        }

        @Test func unchangedOriginals_keepTheirMap() throws {
            let source = try HDRPhotograph().file()
            let (image, found) = try made(source, "quality=100")
            let map = try #require(found)
            #expect(image.isOriginal && map.header.size == PixelSize(widthPx: 200, heightPx: 150))
            #expect(try agrees(image, map))
            #expect(try made(source, "hdr=drop&metadata=keep").map == nil)
            #expect(try made(source, "metadata=keep").map != nil)
        }

        /// The XMP of the source names the place of its own map.
        @Test(arguments: ["", "&hdr=drop"]) func keptMetadata_namesTheNewMapAlone(policy: String) throws {
            let (image, map) = try made(HDRPhotograph().file(), "width=400&metadata=keep" + policy)
            let text = String(decoding: image.content.array, as: UTF8.self)
            let count = policy.isEmpty ? 1 : 0
            #expect((map != nil) == policy.isEmpty)
            #expect(
                text.ranges(of: "Item:Length").count == count
                    && text.ranges(of: "Container:Directory>").count == 2 * count)
            #expect(text.ranges(of: "hdrgm:Version").count == 2 * count)
            #expect(text.ranges(of: "http://ns.adobe.com/xap/1.0/\0").count == 1 + count)
        }

        @Test func onlyHdrKeep_choosesJPEG() throws {
            let accepting = Acceptance { AcceptedQuality(quality: 1, isExplicit: [.avif, .webp, .jpeg].contains($0)) }
            for (query, hasMap) in [("width=300", false), ("width=300&hdr=keep", true), ("width=300&hdr=drop", false)] {
                let image = try ImageEngine.render(
                    RenderSources(HDRPhotograph().file()),
                    request: ImageRequest.parse(QueryItems.parse("id=x&\(query)")),
                    accepting: accepting, in: RenderContext())
                #expect((image.format == .jpeg) == hasMap, "\(query)")
                #expect((image.report.gainMap?.omission == nil) == hasMap)
            }
            let plain = try texture(300, 200, .jpeg)
            let query = try ImageRequest.parse(QueryItems.parse("id=x&width=280&hdr=keep"))
            let image = try ImageEngine.render(
                RenderSources(plain), request: query, accepting: accepting, in: RenderContext())
            #expect(image.format != .jpeg)
        }

        @Test func mapsHaveAPrice() throws {
            let source = try HDRPhotograph().file()
            func cost(_ query: String) throws -> PredictedCost { try made(source, query).image.report.cost }
            #expect(try cost("width=400").steps.contains { $0.name == "gain map" && $0.microseconds > 0 })
            #expect(try !cost("width=400&hdr=drop").steps.contains { $0.name == "gain map" })
        }

        @Test func masters_haveTheMap() throws {
            let photograph = HDRPhotograph(
                size: PixelSize(widthPx: 2800, heightPx: 1900), mapSize: PixelSize(widthPx: 700, heightPx: 475))
            let source = try photograph.file()
            let master = try #require(try ImageEngine.makeMaster(source, in: RenderContext()))
            for query in ["width=600", "width=500&rotate=90&flip=h", "width=300&height=300&fit=cover&gravity=top-left"]
            {
                let request = try ImageRequest.parse(QueryItems.parse("id=x&\(query)"))
                let image = try ImageEngine.render(
                    RenderSources(SharedBytes([]), master: master), request: request,
                    accepting: Acceptance(only: .jpeg),
                    in: RenderContext())
                let map = try #require(GainMapFile.find(in: image.content, limits: ImageLimits()))
                #expect(try agrees(image, map), "\(query)")
                #expect(map.header.size == (try made(source, query).map?.header.size))
                #expect(map.metadata.iso == HDRPhotograph.iso && map.metadata.properties.count == 8)
            }
        }

        /// Whatever is wrong with the map, the image is there.
        @Test func damage_costsAtMostTheMap() throws {
            let photograph = HDRPhotograph(
                size: PixelSize(widthPx: 320, heightPx: 240), mapSize: PixelSize(widthPx: 80, heightPx: 60))
            let source = try photograph.file().array
            let end = try #require(JPEGScan(SharedBytes(source).span, limit: 10).end)
            for count in stride(from: end, to: source.count, by: 97) {
                #expect(try made(SharedBytes(Array(source[..<count])), "width=300").image.widthPx == 300)
            }
            var random = SeededGenerator(state: 19)
            for _ in 0..<300 {
                var damaged = source
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    damaged[Int.random(in: end..<source.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                #expect(try made(SharedBytes(damaged), "width=300").image.widthPx == 300)
                for index in 0..<4 where index % 2 == 0 {
                    damaged[Int.random(in: 2..<900, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                _ = GainMapFile.find(in: SharedBytes(damaged), limits: ImageLimits())
            }
        }

        /// A segment whose directory says that seven pictures lie at `offset` from its byte order, each `step` behind the
        /// one before it, and end nowhere.
        private func directory(offset: Int, step: Int) -> [UInt8] {
            var content = Array("MPF\0MM\0*".utf8) + bigEndian(8, 4) + bigEndian(1, 2)
            content += bigEndian(0xb002, 2) + bigEndian(7, 2) + bigEndian(8 * 16, 4) + bigEndian(26, 4)
            content += bigEndian(0, 4)
            for index in 0..<8 {
                content += bigEndian(0, 4) + bigEndian(1 << 30, 4) + bigEndian(offset + index * step, 4)
                content += bigEndian(0, 4)
            }
            return JPEGSegment.written(0xe2, content)
        }

        /// A picture with `count` of these segments, and fill bytes behind it.
        private func announcing(_ count: Int, step: Int) throws -> SharedBytes {
            let first = try texture(40, 30, .jpeg).array
            let segmentCount = directory(offset: 0, step: 0).count
            var file = Array(first[..<2])
            for index in 0..<count {
                // All count from the same place, the end of the first picture.
                let offset = (count - index) * segmentCount - 8 + first.count - 2
                file += directory(offset: offset, step: step)
            }
            file += first[2...]
            file += [0xff, 0xd8]
            file += [UInt8](repeating: 0xff, count: 100_000)
            return SharedBytes(file)
        }

        /// Each place costs a look at all that follows it, before anything is paid.
        @Test func placesAreTriedOnce_andAtMostEight() throws {
            for (count, step, expected) in [(1, 0, 1), (1000, 0, 1), (1, 16, 8), (1000, 16, 8)] {
                let file = try announcing(count, step: step)
                let end = try #require(JPEGScan(file.span, limit: 10).end)
                let places = GainMapFile.places(in: file.span, end: end)
                #expect(places.count == expected && Set(places).count == expected, "\(count), \(step): \(places)")
                #expect(places.count <= GainMapFile.placeLimit)
                #expect(places.contains(end..<file.count))
                let header = try Source(file, limits: ImageLimits()).header
                #expect(header.gainMap == nil)
            }
        }

        @Test func fillBytesAreBounded() {
            func segments(_ fill: Int, _ more: Int) -> [JPEGSegment]? {
                var file: [UInt8] = [0xff, 0xd8, 0xff]
                file += [UInt8](repeating: 0xff, count: fill)
                file += [0xe5, 0, 2, 0xff]
                file += [UInt8](repeating: 0xff, count: more)
                file += [0xda, 0, 2]
                return JPEGSegment.beforeScan(SharedBytes(file).span)
            }
            #expect(segments(0, 0)?.count == 1)
            #expect(segments(30_000, 35_536)?.count == 1)
            #expect(segments(30_000, 35_537) == nil)
            #expect(segments(1 << 20, 0) == nil)
        }

        @Test func mapsOfTheSizeOfTheImage_becomeHalfAsWide() throws {
            let size = PixelSize(widthPx: 800, heightPx: 600)
            let (image, found) = try made(HDRPhotograph(mapSize: size).file(), "width=400")
            let map = try #require(found)
            #expect(map.header.size == PixelSize(widthPx: 200, heightPx: 150))
            #expect(try agrees(image, map))
        }

        @Test func largeMaps_countAsNone() throws {
            let source = try HDRPhotograph().file()
            var limits = ImageLimits()
            limits.pixelCount = 10_000
            #expect(GainMapFile.find(in: source, limits: limits) == nil)
        }
    }
}
