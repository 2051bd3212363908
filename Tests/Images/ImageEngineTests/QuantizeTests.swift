import ImagePlan
import Testing

@testable import ImageEngine

/// `colors`: at most so many colors, chosen for the picture and dithered.
@Suite(.timeLimit(.minutes(5))) struct QuantizeTests {
    private func quantized(_ source: FilterSubject, to count: Int, pageHeightPx: Int = 0) throws -> FilterSubject {
        try FilterSubject(source.image().quantized(to: count, pageHeightPx: pageHeightPx, in: RenderContext()))
    }

    private func colors(_ subject: FilterSubject) -> Set<[Int]> {
        Set((0..<subject.heightPx).flatMap { y in (0..<subject.widthPx).map { subject[$0, y] } })
    }

    @Test(arguments: [2, 3, 16, 100, 256])
    func everyKindOfPicture_hasNoMoreColors(_ count: Int) throws {
        let (scene, veiled) = (FilterSubject.scene(90, 70), FilterSubject.veiled(90, 70))
        for source in [scene, veiled, scene.grey, veiled.grey] {
            let image = try quantized(source, to: count)
            #expect([image.widthPx, image.heightPx, image.bands] == [90, 70, source.bands])
            #expect(colors(image).count <= count)
            #expect(colors(image).count * 2 > count || count > 100)
            // On average it is what it was.
            for band in 0..<min(source.bands, 3) where source.alpha.isEmpty {
                let before = source.band(band).reduce(0, +), after = image.band(band).reduce(0, +)
                #expect(abs(before - after) < 6300 * (count == 2 ? 40 : 12), "\(count): \(before), \(after)")
            }
            for (before, after) in zip(source.alpha, image.alpha) {
                if before == 255 ? after != 255 : (before == 0) != (after == 0) { Issue.record("\(before), \(after)") }
            }
        }
        let wide = try quantized(scene.widened, to: count)
        #expect(!wide.isWide && colors(wide).count <= count)
    }

    @Test func fewColors_stayAsTheyAre() throws {
        let plain = FilterSubject(64, 48) { x, y in [x / 16 * 60, y / 16 * 90, 33] }
        #expect(try quantized(plain, to: 12) == plain)
        #expect(try colors(quantized(plain, to: 11)).count <= 11)
        let clear = FilterSubject(8, 8) { x, y in [x * 30, y * 30, 9, 0] }
        #expect(try colors(quantized(clear, to: 2)) == [[0, 0, 0, 0]])
    }

    /// Even areas have no dots beside noisy ones, and a small spot keeps its color.
    @Test func evenAreas_stayEven() throws {
        let picture = FilterSubject(120, 80) { x, y in
            if 10..<18 ~= x && 10..<18 ~= y { return [220, 20, 30] }
            return x < 60 ? [246, 246, 240] : [60 + (x * 7 + y * 3) % 60, 90 + (x * y) % 50, 120]
        }
        let image = try quantized(picture, to: 16)
        for y in 0..<80 {
            for x in 0..<60 {
                let spot = 10..<18 ~= x && 10..<18 ~= y
                #expect(image[x, y] == image[spot ? 12 : 40, spot ? 12 : 40])
            }
        }
        for (found, wanted) in zip(image[12, 12] + image[40, 40], [220, 20, 30, 246, 246, 240]) {
            #expect(abs(found - wanted) <= 4)
        }
    }

    /// Frames are alike if they were.
    @Test func framesAreDitheredAlike() throws {
        let frame = FilterSubject.scene(40, 25)
        let both = FilterSubject(40, 50) { x, y in frame[x, y % 25] }
        let image = try quantized(both, to: 8, pageHeightPx: 25)
        for y in 0..<25 { for x in 0..<40 { #expect(image[x, y] == image[x, y + 25]) } }
        #expect(try quantized(both, to: 8, pageHeightPx: 25) == image)
    }

    @Test func aStopEndsIt() throws {
        let scene = FilterSubject.scene(60, 60)
        #expect(throws: ImageError.cancelled) {
            _ = try scene.image().quantized(to: 16, pageHeightPx: 0, in: RenderContext(shouldStop: { true }))
        }
    }
}
