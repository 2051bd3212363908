import Bytes
import ImagePlan
import SeededRandom
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct PlaneTests {
        private func plan(_ size: (Int, Int), _ steps: [ImageStep] = [], format: OutputFormat = .png) -> ImagePlan {
            let target = PixelSize(widthPx: size.0, heightPx: size.1)
            return ImagePlan(
                source: PixelSize(widthPx: 83, heightPx: 61), steps: steps + [.resize(target)], output: target,
                encoding: Encoding(formats: [format]))
        }

        private func byPlanes(
            _ bytes: SharedBytes, _ plan: ImagePlan, shouldStop: @escaping @Sendable () -> Bool = { false }
        ) throws
            -> Decoded?
        {
            let source = try Source(bytes, limits: ImageLimits())
            let image = try PlaneDecoding.resized(
                bytes, profileOf: source.image, plan, shrink: Decoding.loadShrink(limit: plan.loadShrinkLimit),
                in: RenderContext(shouldStop: shouldStop))
            guard let image else { return nil }
            return try Decoded(image.encoded(as: .png, in: RenderContext()))
        }

        /// By libvips at full size, then resampled.
        private func byPixels(_ bytes: SharedBytes, _ plan: ImagePlan) throws -> Decoded {
            let frame = try Source.load(bytes, .jpeg)
            let image = try Decoding.resized(frame, plan, in: RenderContext())
            return try Decoded(image.encoded(as: .png, in: RenderContext()))
        }

        private func difference(_ one: Decoded, _ other: Decoded) -> (mean: Double, worst: Int) {
            let steps = zip(one.samples, other.samples).map { abs(Int($0) - Int($1)) }
            return (Double(steps.reduce(0, +)) / Double(max(1, steps.count)), steps.max() ?? 0)
        }

        @Test(arguments: StoredWaves.planes) func planesLookLikeThePixelsOfLibvips(_ kind: String) throws {
            try engineStart.get()
            let bytes = try StoredWaves.file(kind)
            let cut = ImageStep.extract(PixelRect(x: 21, y: 10, widthPx: 50, heightPx: 40))
            let plans = [
                plan((60, 44)), plan((41, 30)), plan((20, 15)), plan((40, 60)), plan((12, 9), format: .jpeg),
                plan((6, 4)), plan((25, 20), [cut]),
            ]
            for plan in plans {
                let mine = try #require(try byPlanes(bytes, plan))
                let theirs = try byPixels(bytes, plan)
                #expect(
                    mine.widthPx == theirs.widthPx && mine.heightPx == theirs.heightPx && mine.bands == theirs.bands)
                if kind == "4:1:1" {
                    // libjpeg blows this kind up by repeating samples: we are nearer to the picture, or near enough.
                    let exact = try byPixels(StoredWaves.file("4:4:4"), plan)
                    #expect(difference(mine, exact).mean <= max(1.5, difference(theirs, exact).mean))
                    continue
                }
                let (mean, worst) = difference(mine, theirs)
                #expect(mean < 1.5 && worst <= 12, "\(kind) \(plan.resized): \(mean) \(worst)")
            }
        }

        @Test func aWindowIsAPartOfTheWhole() throws {
            try engineStart.get()
            let bytes = try StoredWaves.file("4:2:0")
            let window = PixelRect(x: 9, y: 13, widthPx: 17, heightPx: 8)
            let whole = try #require(try byPlanes(bytes, plan((41, 30))))
            let target = PixelSize(widthPx: 41, heightPx: 30)
            let cut = ImagePlan(
                source: PixelSize(widthPx: 83, heightPx: 61), steps: [.resize(target), .crop(window)],
                output: window.size, encoding: Encoding(formats: [.png]))
            let part = try #require(try byPlanes(bytes, cut))
            for y in 0..<8 { for x in 0..<17 { #expect(part[x, y] == whole[x + 9, y + 13]) } }
        }

        @Test(arguments: StoredWaves.others) func otherKindsAreLeftToLibvips(_ kind: String) throws {
            try engineStart.get()
            let bytes = try StoredWaves.file(kind)
            #expect(try byPlanes(bytes, plan((41, 30))) == nil)
            #expect(try Decoded(render(bytes, "width=41").content).widthPx == 41)
        }

        @Test(arguments: StoredWaves.planes) func aFileThatEndsEarlyIsAnError(_ kind: String) throws {
            let bytes = try StoredWaves.file(kind)
            for share in [0.5, 0.7, 0.9] {
                let short = SharedBytes(Array(bytes.array.prefix(Int(Double(bytes.count) * share))))
                guard case .corrupt = try renderError(short, "width=20") else {
                    Issue.record("\(kind) \(share)")
                    continue
                }
            }
        }

        @Test func damagedFilesEndInAPictureOrAnError() throws {
            var random = SeededGenerator(state: 5)
            for kind in StoredWaves.planes + StoredWaves.others {
                let sound = try StoredWaves.file(kind).array
                for _ in 0..<60 {
                    var damaged = sound
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        damaged[Int.random(in: 2..<damaged.count, using: &random)] = UInt8.random(
                            in: 0...255, using: &random)
                    }
                    _ = try renderError(
                        SharedBytes(damaged), "width=\([10, 20, 41].randomElement(using: &random) ?? 10)")
                }
            }
        }

        @Test func stoppingIsAskedOncePerStrip() throws {
            try engineStart.get()
            for kind in StoredWaves.planes {
                let bytes = try StoredWaves.file(kind)
                let counter = Counter(allowing: 2)
                #expect(throws: ImageError.cancelled) {
                    _ = try byPlanes(bytes, plan((41, 30))) { counter.ask() }
                }
            }
        }
    }
}
