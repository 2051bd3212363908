import Bytes
import ImagePlan
import Parameters
import Synchronization
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct RegionCopyTests {
        static let width = 1208
        static let height = 904

        static let options: RenderOptions = {
            var options = RenderOptions()
            options.regionPixelCount = 100_000
            return options
        }()

        /// Detail everywhere, in color too, with chroma of half resolution up to a quality of 89.
        static func large(_ quality: Int, width: Int = Self.width, height: Int = Self.height) throws -> SharedBytes {
            try picture(width, height, .jpeg, quality: quality) { x, y in
                let wave = (x / 7 + y / 5) % 64
                return [UInt8(wave * 3 + 20), UInt8((x &* 31 ^ y &* 17) & 255), UInt8(255 - wave * 2), 255]
            }
        }

        func copy(_ source: SharedBytes) throws -> SharedBytes? {
            try ImageEngine.makeRegionCopy(source, in: RenderContext(options: Self.options))
        }

        /// `&quick` at the end, which no URL has: as tiles of viewers are.
        func request(_ query: String) throws -> ImageRequest {
            let isQuick = query.hasSuffix("&quick")
            let known = isQuick ? String(query.dropLast("&quick".count)) : query
            var request = try ImageRequest.parse(QueryItems.parse("id=x&" + known))
            request.isQuick = isQuick
            return request
        }

        private func part(_ copy: SharedBytes, _ query: String, _ output: OutputFormat = .png) throws -> SharedBytes? {
            let reader = RegionCopy(byteCount: copy.count) { range in
                range.upperBound <= copy.count ? copy.slice(range) : nil
            }
            return try reader?.part(for: request(query), accepting: Acceptance(only: output), options: Self.options)
        }

        func rendered(
            _ sources: RenderSources, _ query: String, _ output: OutputFormat = .png
        ) throws -> RenderedImage {
            try ImageEngine.render(
                sources, request: request(query), accepting: Acceptance(only: output),
                in: RenderContext(options: Self.options))
        }

        func isSame(_ one: RenderedImage, _ other: RenderedImage) -> Bool { one.content.array == other.content.array }

        static let regions = [
            "crop=0,0,256,256", "crop=301,203,500,400&width=200", "crop=952,648,256,256",
            "crop=952,648,256,256&width=128", "crop=101,99,600,600&width=37", "crop=511,333,97,101&rotate=90",
            "crop=10,20,400,300&width=100&height=100&fit=cover", "crop=0,0,1208,40&width=300",
            "crop=1200,0,8,904&flip=h",
        ]

        /// The same keys and tags name both, so every byte has to agree.
        @Test(arguments: [80, 95]) func regionsOfACopyHaveTheBytesOfThoseOfTheOriginal(_ quality: Int) throws {
            let source = try Self.large(quality)
            let copy = try #require(try copy(source))
            for query in Self.regions {
                for output in [OutputFormat.png, .jpeg] {
                    let part = try #require(try part(copy, query, output), "\(query)")
                    let mine = try rendered(RenderSources(SharedBytes([]), master: part), query, output)
                    let exact = try rendered(RenderSources(source), query, output)
                    #expect(isSame(mine, exact), "\(query) \(output)")
                    #expect(mine.report.plan == exact.report.plan)
                    #expect(mine.report.loadShrink == exact.report.loadShrink)
                    #expect(mine.report.part != nil && exact.report.part == nil)
                    #expect(mine.report.level == nil && !mine.report.isWorthMaster)
                }
            }
        }

        /// The last units are cut, and a unit may have many segments or few.
        @Test(arguments: [80, 95], [1, 6]) func oddSidesAndTurnedPhotosAreExactToo(
            _ quality: Int, _ orientation: Int
        ) throws {
            let source = withOrientation(orientation, try Self.large(quality, width: 1203, height: 899))
            let copy = try #require(try copy(source))
            for query in [
                "crop=0,0,256,256", "crop=301,203,500,400&width=200", "crop=630,640,256,256", "crop=643,643,256,255",
                "crop=891,0,8,700&flip=h", "crop=0,891,800,8",
            ] {
                let part = try #require(try part(copy, query), "\(query)")
                let mine = try rendered(RenderSources(SharedBytes([]), master: part), query)
                #expect(try isSame(mine, rendered(RenderSources(source), query)), "\(query)")
            }
        }

        /// A file of several scans is decoded as a whole, its copy in parts.
        @Test func progressiveFilesAndGreyOnesHaveCopiesToo() throws {
            let color = try Self.large(80)
            for query in ["progressive=1", "filter=grayscale"] {
                let source = try rendered(RenderSources(color), query + "&quality=80", .jpeg).content
                let copy = try #require(try copy(source), "\(query)")
                for region in Self.regions {
                    let part = try #require(try part(copy, region))
                    let mine = try rendered(RenderSources(SharedBytes([]), master: part), region)
                    #expect(try isSame(mine, rendered(RenderSources(source), region)), "\(query) \(region)")
                }
            }
        }

        @Test func ofTheCopyOnlyTheSegmentsOfTheRegionAreRead() throws {
            let copy = try #require(try copy(Self.large(95)))
            let readCount = Mutex(0)
            let reader = RegionCopy(byteCount: copy.count) { range in
                readCount.withLock { $0 += range.count }
                return copy.slice(range)
            }
            let query = "crop=512,512,128,128"
            let part = try #require(
                try reader?.part(for: request(query), accepting: Acceptance(only: .png), options: Self.options))
            #expect(readCount.withLock { $0 } < copy.count / 8)
            #expect(part.count < copy.count / 16)
            let decoded = try #require(try rendered(RenderSources(SharedBytes([]), master: part), query).report.part)
            // 128 pixels, and what segments, which have at most 8 blocks, begin before them and end after.
            #expect(decoded.widthPx <= 128 + 2 * 64 && decoded.heightPx == 128)
        }

        /// At 768 × 512 pixels segments have 8 units: aligned tiles are what they cover, where no chroma is smoothed.
        @Test(arguments: [
            (80, "crop=256,128,256,128&width=100", PixelSize(widthPx: 256, heightPx: 128)),
            (80, "crop=256,128,256,128&width=128", PixelSize(widthPx: 256, heightPx: 128)),
            (80, "crop=512,384,256,128&width=64", PixelSize(widthPx: 256, heightPx: 128)),
            (80, "crop=256,128,256,128", PixelSize(widthPx: 512, heightPx: 160)),
            (80, "crop=512,384,256,128", PixelSize(widthPx: 384, heightPx: 144)),
            (95, "crop=256,128,256,128", PixelSize(widthPx: 256, heightPx: 128)),
        ]) func alignedTilesDecodeNothingBesideThem(_ quality: Int, _ query: String, _ size: PixelSize) throws {
            let source = try Self.large(quality, width: 768, height: 512)
            let copy = try #require(try copy(source))
            for output in [OutputFormat.png, .jpeg] {
                let part = try #require(try part(copy, query, output))
                let mine = try rendered(RenderSources(SharedBytes([]), master: part), query, output)
                #expect(try isSame(mine, rendered(RenderSources(source), query, output)), "\(output)")
                #expect(mine.report.part == size, "\(output)")
            }
        }

        /// Aligned tiles of viewers at each level, also those at the edges; `&quick` is as they are asked for.
        @Test(arguments: [80, 95], [0, 5]) func tilesOfEachLevelAreExact(_ quality: Int, _ missing: Int) throws {
            let (width, height) = (Self.width - missing, Self.height - missing)
            let source = try Self.large(quality, width: width, height: height)
            let copy = try #require(try copy(source))
            for level in [1, 2, 4, 8] {
                let side = 64 * level
                let (right, bottom) = (width / side * side, height / side * side)
                for (x, y) in [(0, 0), (side, 0), (0, side), (right, 0), (0, bottom), (right, bottom)] {
                    let (across, down) = (min(side, width - x), min(side, height - y))
                    let target = "width=\((across + level - 1) / level)&height=\((down + level - 1) / level)"
                    let query = "crop=\(x),\(y),\(across),\(down)&\(target)&fit=fill&quick"
                    let part = try #require(try part(copy, query, .jpeg), "\(query)")
                    let mine = try rendered(RenderSources(SharedBytes([]), master: part), query, .jpeg)
                    #expect(try isSame(mine, rendered(RenderSources(source), query, .jpeg)), "\(query)")
                }
            }
        }

        @Test(arguments: [
            "crop=0,0,1100,800", "width=300", "crop=0,0,200,200&metadata=keep", "crop=0,0,200,200&metadata=copyright",
            "crop=0,0,200,200&trim=10",
        ]) func otherRequestsTakeTheOriginal(_ query: String) throws {
            let copy = try #require(try copy(Self.large(80)))
            #expect(try part(copy, query, .jpeg) == nil)
            // A part that does not serve is never used for what it does not hold.
            let other = try #require(try part(copy, "crop=600,600,100,100"))
            #expect(throws: ImageError.needsOriginal) {
                _ = try rendered(RenderSources(SharedBytes([]), master: other), query, .jpeg)
            }
        }

        @Test func smallOriginalsAndOtherFormatsHaveNone() throws {
            #expect(try copy(texture(300, 200, .jpeg)) == nil)
            #expect(try copy(texture(600, 400, .png)) == nil)
            #expect(try ImageEngine.makeRegionCopy(Self.large(80), in: RenderContext()) == nil)
        }

        @Test func makingOneIsAdmittedFirst_andStops() throws {
            let source = try Self.large(80)
            let asked = Mutex<[PredictedCost]>([])
            let context = RenderContext(
                options: Self.options,
                admission: { cost in
                    asked.withLock { $0.append(cost) }
                    return .never
                })
            #expect(throws: ImageError.self) { _ = try ImageEngine.makeRegionCopy(source, in: context) }
            let cost = try #require(asked.withLock { $0.first })
            #expect(asked.withLock { $0.count } == 1)
            #expect(cost.byteCount > Self.width * Self.height * 3 && cost.microseconds > 0)
            let stopping = RenderContext(options: Self.options, shouldStop: { true })
            #expect(throws: ImageError.cancelled) { _ = try ImageEngine.makeRegionCopy(source, in: stopping) }
        }

        @Test func damagedCopiesAndPartsGiveNothingOrOtherPixels_butNeverTrap() throws {
            let copy = try #require(try copy(Self.large(80))).array
            let query = "crop=300,300,200,200&width=50"
            func attempt(_ bytes: [UInt8]) throws {
                guard let part = try part(SharedBytes(bytes), query) else { return }
                _ = try? rendered(RenderSources(SharedBytes([]), master: part), query)
            }
            for count in [0, 7, 8, 39, 40, 600, copy.count / 2, copy.count - 1] {
                #expect(try part(SharedBytes(Array(copy.prefix(count))), query) == nil, "\(count) bytes")
            }
            for offset in Array(0..<48) + Array(stride(from: 48, to: copy.count, by: copy.count / 64)) {
                for value: UInt8 in [0, 255] {
                    var damaged = copy
                    damaged[offset] = value
                    try attempt(damaged)
                }
            }
            let whole = try #require(try part(SharedBytes(copy), query)).array
            for offset in Array(0..<48) + Array(stride(from: 48, to: whole.count, by: whole.count / 64)) {
                for value: UInt8 in [0, 3, 255] {
                    var damaged = whole
                    damaged[offset] = value
                    _ = try? rendered(RenderSources(SharedBytes([]), master: SharedBytes(damaged)), query)
                }
            }
        }
    }
}
