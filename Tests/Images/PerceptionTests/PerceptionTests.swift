import Bytes
import Perception
import Testing

@Suite(.timeLimit(.minutes(5))) struct PerceptionTests {
    /// Scores by the package `ssimulacra2` 0.3.0 of PyPI, which works in double precision and leaves nothing out:
    /// `ssimulacra2.compute_ssimulacra2("reference.png", "damaged.png")` on the pictures of Pictures.swift as PNG.
    static let published: [(Int, Int, Damage, Double)] = [
        (320, 288, .noise, 86.1177),
        (320, 288, .posterised, 40.0212),
        (320, 288, .smoothed, 41.3587),
        (320, 288, .shifted, -1.8354),
        (320, 288, .brighter, 91.2197),
        (320, 288, .blocks, 0.7349),
        (320, 288, .colorless, 39.6862),
        (301, 277, .noise, 85.8218),
        (301, 277, .posterised, 42.5592),
        (301, 277, .smoothed, 40.4647),
        (301, 277, .shifted, -3.4917),
        (301, 277, .brighter, 90.0479),
        (301, 277, .blocks, -0.4086),
        (301, 277, .colorless, 38.6632),
    ]

    @Test(arguments: published) func scoresAreThoseOfThePublishedMetric(
        _ widthPx: Int, _ heightPx: Int, _ damage: Damage, _ expected: Double
    ) throws {
        let picture = Picture(widthPx, heightPx)
        let score = try #require(picture.score(of: damage.done(to: picture)))
        #expect(abs(score - expected) < 0.01)
    }

    @Test(arguments: [8, 9, 31, 64, 300]) func samePictures_score100(_ side: Int) {
        #expect(Picture(side, side + 3).score(of: Picture(side, side + 3)) == 100)
    }

    @Test func scoresFallAsDamageGrows() throws {
        let picture = Picture(280, 270)
        var last = 100.0
        for step in [1, 3, 8, 20, 60] {
            let damaged = picture.map { value, x, y, _ in Int(value) + ((x ^ y) & 1 == 0 ? step : -step) }
            let score = try #require(picture.score(of: damaged))
            #expect(score < last)
            last = score
        }
        #expect(last < 30)
    }

    /// A picture continued by its mirror is the same to look at; the published program makes ten points less of a small one.
    @Test func smallPictures_scoreAsIfContinuedByTheirMirror() throws {
        func fourfold(_ picture: Picture) -> Picture {
            var large = Picture(picture.widthPx * 2, picture.heightPx * 2)
            large = large.map { _, x, y, channel in
                picture.sample(min(x, 2 * picture.widthPx - 1 - x), min(y, 2 * picture.heightPx - 1 - y), channel)
            }
            return large
        }
        let small = Picture(160, 140)
        let damaged = Damage.noise.done(to: small)
        let score = try #require(small.score(of: damaged))
        let expected = try #require(fourfold(small).score(of: fourfold(damaged)))
        #expect(abs(score - expected) < 1.5)
    }

    @Test func greyPictures_scoreAsTheSameInColor() throws {
        let color = Picture(260, 256).map { _, x, y, _ in (x * x / 90 + y * 2) % 256 }
        let damaged = color.map { value, x, y, _ in Int(value) + (x * 7 + y * 3) % 9 - 4 }
        func grey(_ picture: Picture) -> Picture {
            var result = picture
            result.bands = 1
            result.bytes = stride(from: 0, to: picture.bytes.count, by: 3).map { picture.bytes[$0] }
            return result
        }
        let expected = try #require(color.score(of: damaged))
        #expect(try #require(grey(color).score(of: grey(damaged))) == expected)
    }

    @Test func alphaIsNotLookedAt() throws {
        let picture = Picture(64, 64)
        func withAlpha(_ picture: Picture, _ alpha: UInt8) -> Picture {
            var result = picture
            result.bands = 4
            result.bytes = stride(from: 0, to: picture.bytes.count, by: 3).flatMap {
                picture.bytes[$0..<($0 + 3)] + [alpha]
            }
            return result
        }
        let damaged = Damage.noise.done(to: picture)
        #expect(withAlpha(picture, 9).score(of: withAlpha(damaged, 200)) == picture.score(of: damaged))
    }

    @Test func picturesOfOtherSizes_haveNoScore() {
        #expect(Picture(32, 32).score(of: Picture(32, 33)) == nil)
        #expect(Picture(7, 300).score(of: Picture(7, 300)) == nil)
    }

    @Test func largePictures_areReducedByTheLeastWholeNumber() throws {
        #expect(Perception.reduction(widthPx: 2000, heightPx: 2000) == 1)
        #expect(Perception.reduction(widthPx: 2001, heightPx: 2000) == 2)
        #expect(Perception.reduction(widthPx: 16384, heightPx: 16384) == 9)
        let large = Picture(2003, 2001)
        let damaged = Damage.noise.done(to: large)
        let score = try #require(large.score(of: damaged))
        #expect((90...100).contains(score))
        #expect(large.score(of: large) == 100)
    }

    @Test func missingAndSurplusRows_areNoHarm() throws {
        var builder = ScalesBuilder(widthPx: 40, heightPx: 40, bands: 3)
        let row = [UInt8](repeating: 0, count: 120)
        for _ in 0..<10 { row.withUnsafeBytes { builder.add($0.bytes) } }
        row[..<60].withUnsafeBytes { builder.add($0.bytes) }
        let black = Picture(40, 40).map { _, _, _, _ in 0 }
        #expect(try #require(builder.finish().score(of: black.scales)) < 100)
        var full = ScalesBuilder(widthPx: 40, heightPx: 40, bands: 3)
        for _ in 0..<60 { row.withUnsafeBytes { full.add($0.bytes) } }
        #expect(full.finish().score(of: black.scales) == 100)
    }
}
