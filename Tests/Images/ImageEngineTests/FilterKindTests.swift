import Colors
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

/// What holds for every filter.
@Suite(.timeLimit(.minutes(5))) struct FilterKindTests {
    private static let orange = Color(red: 255, green: 140, blue: 0)
    private static let navy = Color(red: 0, green: 0, blue: 90)

    /// Each at least once, with arguments that show.
    static let all: [ImageFilter] =
        [
            .blur(sigma: 2), .blur(sigma: 12), .sharpen(sigma: 1.5), .sharpen(sigma: 10),
            .unsharp(radius: 2, amount: 1.5, threshold: 3), .median(radius: 2), .pixelate(size: 7),
            .noise(amount: 12, seed: 4), .grayscale, .sepia(percent: 80), .invert, .threshold(level: 120),
            .posterize(levels: 5), .tint(color: orange, percent: 70), .duotone(dark: navy, light: orange, percent: 90),
            .brightness(20), .contrast(-40), .contrast(30), .saturation(50), .vibrance(-60), .highlights(-70),
            .shadows(60), .temperature(40), .hue(degrees: 100), .gamma(1.8), .exposure(ev: 0.7), .normalize, .equalize,
            .clahe, .vignette(percent: 80), .edges, .emboss,
        ] + ImageFilter.Look.allCases.map { .look($0) }

    private static func bands(after filter: ImageFilter, ofGrey isGrey: Bool) -> Int {
        switch filter {
        case .grayscale, .threshold, .edges, .look(.noir): 1
        case .sepia, .tint, .duotone, .temperature: 3
        case .look(.vintage), .look(.cool), .look(.warm), .look(.cinema): 3
        default: isGrey ? 1 : 3
        }
    }

    private static func softensAlpha(_ filter: ImageFilter) -> Bool {
        switch filter {
        case .blur, .pixelate, .look(.dream): true
        default: false
        }
    }

    @Test(arguments: all)
    func everyKindOfPicture_keepsSizeDepthAndAlpha(_ filter: ImageFilter) throws {
        let (scene, veiled) = (FilterSubject.scene(), FilterSubject.veiled())
        for before in [scene, veiled, scene.grey, veiled.grey] {
            for source in [before, before.widened] {
                let after = try source.after(filter)
                #expect([after.widthPx, after.heightPx] == [source.widthPx, source.heightPx])
                #expect(after.isWide == source.isWide)
                let colors = Self.bands(after: filter, ofGrey: source.bands < 3)
                #expect(after.bands == colors + (source.alpha.isEmpty ? 0 : 1), "\(source.bands) bands")
                if !Self.softensAlpha(filter) { #expect(after.alpha == source.alpha) }
            }
        }
    }

    @Test(arguments: all)
    func everyFilter_changesSomethingAndGivesTheSameTwice(_ filter: ImageFilter) throws {
        let scene = FilterSubject.scene()
        let once = try scene.after(filter)
        #expect(once != scene)
        #expect(try scene.after(filter) == once)
    }

    /// What decides by thresholds may decide otherwise on a hair's breadth.
    @Test(arguments: all)
    func sixteenBits_agreeWithEight(_ filter: ImageFilter) throws {
        for source in [FilterSubject.scene(), .veiled(), FilterSubject.scene().grey] {
            let (narrow, wide) = (try source.after(filter), try source.widened.after(filter))
            let alpha = narrow.alpha
            var (far, worst) = (0, 0.0)
            for (index, (one, other)) in zip(narrow.samples, wide.samples).enumerated() {
                // Where next to nothing is seen, eight bits hold next to no color.
                if !alpha.isEmpty, alpha[index / narrow.bands] < 8 { continue }
                let distance = abs(Double(one) - Double(other) / 257)
                worst = max(worst, distance)
                if distance > 1.01 { far += 1 }
            }
            let isBlur = Self.softensAlpha(filter)
            #expect(far <= (isBlur ? narrow.samples.count / 12 : narrow.samples.count / 1000), "\(far) differ")
            if isBlur { #expect(worst <= 8, "\(worst)") }
        }
    }

    @Test func pointFiltersInARow_areTheSameAsOneAfterAnother() throws {
        let lists: [[ImageFilter]] = [
            [.brightness(10), .contrast(20), .gamma(1.3), .invert],
            [.grayscale, .contrast(20), .sepia(percent: 60), .vignette(percent: 50)],
            [.saturation(40), .gamma(0.8), .brightness(-10), .temperature(30), .hue(degrees: 30)],
            [.normalize, .vibrance(40), .posterize(levels: 6)],
            [.tint(color: Self.orange, percent: 50), .threshold(level: 90)],
        ]
        for filters in lists {
            let source = FilterSubject.veiled().widened
            var apart = source
            for filter in filters { apart = try apart.after(filter) }
            let together = try source.after(filters)
            #expect(together.bands == apart.bands)
            let far = zip(together.samples, apart.samples).filter { abs($0 - $1) > 24 }.count
            #expect(far <= together.samples.count / 500, "\(far) of \(together.samples.count) in \(filters)")
        }
    }

    @Test(arguments: ImageFilter.Look.allCases)
    func looks_areTheListsThatTheyName(_ look: ImageFilter.Look) throws {
        #expect(try FilterSubject.veiled().after(.look(look)) == FilterSubject.veiled().after(look.filters))
        #expect(
            look.filters.allSatisfy {
                if case .look = $0 { false } else { true }
            })
    }

    @Test(arguments: all)
    func tinyPictures_areNoTrouble(_ filter: ImageFilter) throws {
        for (width, height) in [(1, 1), (1, 9), (700, 1), (513, 2)] {
            let source = FilterSubject.veiled(width, height)
            #expect(try source.after(filter).widthPx == width)
            #expect(try source.widened.grey.after(filter).heightPx == height)
        }
    }

    @Test(arguments: all)
    func everyFilter_stopsWhenAsked(_ filter: ImageFilter) throws {
        #expect(throws: ImageError.cancelled) { try FilterSubject.scene().after(filter, shouldStop: { true }) }
    }
}
