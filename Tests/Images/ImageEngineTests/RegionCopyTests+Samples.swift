import Bytes
import Foundation
import ImagePlan
import Synchronization
import Testing

@testable import ImageEngine

/// Samples that are kept beside a copy.
extension EngineTests.RegionCopyTests {
    private struct Kept {
        let copy: RegionCopy
        var samples: [String: SharedBytes] = [:]

        func part(_ request: ImageRequest, _ output: OutputFormat, _ options: RenderOptions) -> SharedBytes? {
            copy.part(for: request, accepting: Acceptance(only: output), options: options) { band in
                guard let found = samples[band.name] else { return nil }
                return KeptBytes(byteCount: found.count) { $0.upperBound <= found.count ? found.slice($0) : nil }
            }
        }
    }

    /// In bands of a few rows, as those of an original of 100 megapixels are to it.
    private func kept(_ source: SharedBytes, _ options: RenderOptions, bandByteLimit: Int = 200_000) throws -> Kept {
        let context = RenderContext(options: options)
        let bytes = try #require(try ImageEngine.makeRegionCopy(source, in: context))
        let opened = RegionCopy(byteCount: bytes.count) { $0.upperBound <= bytes.count ? bytes.slice($0) : nil }
        var copy = try #require(opened)
        copy.bandByteLimit = bandByteLimit
        var kept = Kept(copy: copy)
        for band in copy.bands {
            let part = try #require(copy.source(of: band))
            let made = try #require(try ImageEngine.makeRegionPlanes(part, sizes: band.sizes, in: context))
            #expect(band.fits(made) && kept.samples[band.name] == nil)
            kept.samples[band.name] = made
        }
        return kept
    }

    private func expectSame(
        _ kept: Kept, of source: SharedBytes, _ query: String, _ output: OutputFormat,
        options: RenderOptions = Self.options, usesSamples: Bool = true
    ) throws {
        let part = try #require(try kept.part(request(query), output, options), "\(query)")
        let mine = try rendered(RenderSources(SharedBytes([]), master: part), query, output)
        let exact = try rendered(RenderSources(source), query, output)
        #expect(isSame(mine, exact), "\(query) \(output)")
        #expect(mine.report.plan == exact.report.plan && mine.report.loadShrink == exact.report.loadShrink)
        #expect(mine.report.part != nil && mine.report.usesSamples == usesSamples, "\(query) \(output)")
    }

    /// From 1/4 to 1/16, also between; at all edges, beyond strips of 256 samples and across bands.
    private static let reduced = [
        "crop=0,0,512,512&width=128", "crop=301,203,500,400&width=100", "crop=696,392,512,512&width=64",
        "crop=952,648,256,256&width=16", "crop=101,99,600,500&width=37", "crop=1100,0,108,904&width=20&flip=h",
        "crop=0,800,1208,104&width=150", "crop=10,20,400,300&width=50&height=50&fit=cover",
        "crop=0,0,1100,400&width=100&rotate=90",
    ]

    @Test(arguments: [80, 95]) func regionsOfKeptSamplesHaveTheBytesOfThoseOfTheOriginal(_ quality: Int) throws {
        let source = try Self.large(quality)
        let kept = try kept(source, Self.options)
        #expect(kept.samples.count > 6, "several bands of the largest level")
        for query in Self.reduced {
            for output in [OutputFormat.png, .jpeg] { try expectSame(kept, of: source, query, output) }
        }
    }

    @Test(arguments: [80, 95], [1, 6]) func samplesOfOddSidesAndTurnedPhotosAreExactToo(
        _ quality: Int, _ orientation: Int
    ) throws {
        let source = withOrientation(orientation, try Self.large(quality, width: 1203, height: 899))
        let kept = try kept(source, Self.options)
        // Edges of the turned photo, which has 899 columns, and of the other.
        for query in [
            "crop=0,0,256,256&width=64", "crop=387,387,512,512&width=128", "crop=643,643,256,256&width=32",
            "crop=1,0,500,899&width=50&flip=h",
        ] {
            try expectSame(kept, of: source, query, .jpeg)
        }
    }

    @Test func samplesOfProgressiveFilesAndGreyOnesAreExactToo() throws {
        let color = try Self.large(80)
        for query in ["progressive=1", "filter=grayscale"] {
            let source = try rendered(RenderSources(color), query + "&quality=80", .jpeg).content
            let kept = try kept(source, Self.options)
            for region in Self.reduced { try expectSame(kept, of: source, region, .jpeg) }
        }
    }

    /// Their chroma is made at half of the size, from other samples than that of other images.
    @Test(arguments: [80, 95]) func quickRegionsAreExactToo(_ quality: Int) throws {
        let source = try Self.large(quality)
        let kept = try kept(source, Self.options)
        for query in Self.reduced { try expectSame(kept, of: source, query + "&quick", .jpeg) }
        for query in ["crop=301,203,500,400", "crop=301,203,500,400&width=250", "crop=301,203,501,400&width=251"] {
            try expectSame(kept, of: source, query + "&quick", .jpeg, usesSamples: false)
        }
    }

    /// Both lose half of the columns and rows of chroma, one before it is sized, the other after. Odd sides have no halves.
    @Test(arguments: [80, 95]) func quickRegionsLookLikeOthers(_ quality: Int) throws {
        let source = try picture(Self.width, Self.height, .jpeg, quality: quality) { x, y in
            [UInt8((x / 3) % 200), UInt8((y / 2) % 250), UInt8((x + y) / 9), 255]
        }
        for (size, distance) in [("&width=250", 2.0), ("&width=80&rotate=90", 2.0), ("", 0.0), ("&width=125", 0.0)] {
            let query = "crop=100,40,500,400" + size
            let quick = try rendered(RenderSources(source), query + "&quick", .jpeg)
            let other = try rendered(RenderSources(source), query, .jpeg)
            #expect(quick.content.count > other.content.count, "\(size)")
            let (mine, wanted) = (try Decoded(quick.content), try Decoded(other.content))
            #expect(mine.widthPx == wanted.widthPx && mine.heightPx == wanted.heightPx, "\(size)")
            let sum = zip(mine.samples, wanted.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(sum) / Double(mine.samples.count) <= distance, "\(size)")
        }
    }

    @Test(arguments: StoredWaves.planes) func samplesOfAllKindsAreExact(_ kind: String) throws {
        let source = try StoredWaves.file(kind)
        var options = Self.options
        options.regionPixelCount = 1
        for limit in [1, 1 << 20] {
            let kept = try kept(source, options, bandByteLimit: limit)
            for query in ["crop=0,20,80,8&width=20", "crop=3,20,80,8&width=10", "crop=40,52,40,9&width=10"] {
                try expectSame(kept, of: source, query, .jpeg, options: options)
            }
        }
    }

    /// However color is stored, at the borders of units and beside them.
    @Test(arguments: StoredWaves.planes) func regionsOfAllKindsAreExact(_ kind: String) throws {
        let source = try StoredWaves.file(kind)
        var options = Self.options
        options.regionPixelCount = 1
        let context = RenderContext(options: options)
        let acceptance = Acceptance(only: .png)
        let bytes = try #require(try ImageEngine.makeRegionCopy(source, in: context))
        let opened = RegionCopy(byteCount: bytes.count) { $0.upperBound <= bytes.count ? bytes.slice($0) : nil }
        let copy = try #require(opened)
        for query in [
            "crop=0,20,83,8", "crop=16,20,32,8", "crop=9,21,21,7", "crop=0,16,83,16&width=40",
            "crop=0,32,83,16&width=8", "crop=16,16,32,16&width=16", "crop=9,33,22,14&width=10",
        ] {
            func image(_ sources: RenderSources) throws -> RenderedImage {
                try ImageEngine.render(sources, request: request(query), accepting: acceptance, in: context)
            }
            let found = try copy.part(for: request(query), accepting: acceptance, options: options)
            let part = try #require(found, "\(query)")
            let mine = try image(RenderSources(SharedBytes([]), master: part))
            #expect(try isSame(mine, image(RenderSources(source))), "\(query)")
        }
    }

    /// At less than 1/4 the kernel wants the samples of full size.
    @Test(arguments: [
        "crop=301,203,500,400", "crop=301,203,500,400&width=250", "crop=301,203,500,400&width=126",
    ]) func otherReductionsTakeTheSegments(_ query: String) throws {
        let source = try Self.large(80)
        try expectSame(kept(source, Self.options), of: source, query, .jpeg, usesSamples: false)
    }

    @Test func damagedOrMissingBandsAreNotUsed() throws {
        let source = try Self.large(80)
        let query = "crop=300,300,400,400&width=100"
        let whole = try kept(source, Self.options)
        try expectSame(whole, of: source, query, .jpeg)
        var (missing, cut, long, other) = (whole, whole, whole, whole)
        for (name, bytes) in whole.samples {
            missing.samples[name] = nil
            cut.samples[name] = bytes.slice(0..<(bytes.count / 2))
            long.samples[name] = SharedBytes(bytes.array + [0])
            var damaged = bytes.array
            damaged[20] ^= 1
            other.samples[name] = SharedBytes(damaged)
        }
        for kept in [missing, cut, long, other] { try expectSame(kept, of: source, query, .jpeg, usesSamples: false) }
    }

    @Test func damagedPartsOfSamplesAreRefused_butNeverTrap() throws {
        let source = try Self.large(80)
        let query = "crop=300,300,400,400&width=100"
        let part = try #require(try kept(source, Self.options).part(request(query), .jpeg, Self.options)).array
        for count in [8, 40, 52, 53, 600, part.count / 2, part.count - 1] {
            #expect(throws: ImageError.self, "\(count) bytes") {
                let cut = SharedBytes(Array(part.prefix(count)))
                _ = try rendered(RenderSources(SharedBytes([]), master: cut), query, .jpeg)
            }
        }
        // Of another reduction than was wanted.
        #expect(throws: ImageError.needsOriginal) {
            let whole = RenderSources(SharedBytes([]), master: SharedBytes(part))
            _ = try rendered(whole, "crop=300,300,400,400&width=50", .jpeg)
        }
        #expect(throws: ImageError.needsOriginal) {
            let whole = RenderSources(SharedBytes([]), master: SharedBytes(part))
            _ = try rendered(whole, "crop=300,300,400,400", .jpeg)
        }
        // The numbers, and the head of the JPEG.
        for offset in Array(0..<52) + Array(stride(from: 52, to: 700, by: 9)) {
            for value: UInt8 in [0, 3, 255] {
                var damaged = part
                damaged[offset] = value
                _ = try? rendered(RenderSources(SharedBytes([]), master: SharedBytes(damaged)), query, .jpeg)
            }
        }
    }

    @Test func keepingSamplesIsAdmittedFirst_andStops() throws {
        let bytes = try #require(try copy(Self.large(80)))
        let opened = RegionCopy(byteCount: bytes.count) { $0.upperBound <= bytes.count ? bytes.slice($0) : nil }
        let regions = try #require(opened)
        let band = try #require(regions.bands.first)
        let part = try #require(regions.source(of: band))
        let asked = Mutex<[PredictedCost]>([])
        let context = RenderContext(
            options: Self.options,
            admission: { cost in
                asked.withLock { $0.append(cost) }
                return .never
            })
        #expect(throws: ImageError.self) {
            _ = try ImageEngine.makeRegionPlanes(part, sizes: band.sizes, in: context)
        }
        let cost = try #require(asked.withLock { $0.first })
        #expect(asked.withLock { $0.count } == 1)
        #expect(cost.byteCount >= 2 * band.byteCount + part.count && cost.microseconds > 0)
        let stopping = RenderContext(options: Self.options, shouldStop: { true })
        #expect(throws: ImageError.cancelled) {
            _ = try ImageEngine.makeRegionPlanes(part, sizes: band.sizes, in: stopping)
        }
        // A process does not trust what it is asked for.
        for sizes in [[], [4, 8], [3, 8, 8], [4, 8, 16]] {
            #expect(try ImageEngine.makeRegionPlanes(part, sizes: sizes, in: RenderContext()) == nil)
        }
    }
}
