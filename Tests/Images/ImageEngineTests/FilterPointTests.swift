import Colors
import Glibc
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

/// Filters of one pixel, by numbers.
@Suite(.timeLimit(.minutes(5))) struct FilterPointTests {
    private let ramp = FilterSubject(256, 1) { x, _ in [x] }

    private func decoded(_ sample: Int) -> Double {
        let value = Double(sample) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private func greatestDistance(_ one: FilterSubject, _ other: FilterSubject) -> Int {
        zip(one.samples, other.samples).map { abs($0 - $1) }.max() ?? 0
    }

    @Test func grayscale_isLuminanceOfLinearLight() throws {
        let scene = FilterSubject.scene()
        let grey = try scene.after(.grayscale)
        for (index, value) in grey.samples.enumerated() {
            let pixel = scene.samples[(index * 3)..<(index * 3 + 3)].map(decoded)
            let light = 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]
            #expect(abs(light - decoded(value)) <= decoded(value + 1) - decoded(value), "\(index)")
        }
        let greys = FilterSubject(256, 1) { x, _ in [x, x, x] }
        #expect(try greys.after(.grayscale).samples == Array(0...255))
        #expect(try greys.after(.saturation(-100), .grayscale).samples == Array(0...255))
    }

    @Test func invert_isItsOwnInverse() throws {
        #expect(try ramp.after(.invert).samples == Array((0...255).reversed()))
        #expect(try FilterSubject.veiled().after(.invert, .invert) == .veiled())
    }

    @Test func brightnessAndContrast_areStraightLines() throws {
        #expect(try ramp.after(.brightness(20)).samples == (0...255).map { min(255, $0 + 51) })
        #expect(try ramp.after(.brightness(-100)).samples.allSatisfy { $0 == 0 })
        #expect(try ramp.after(.brightness(100)).samples.allSatisfy { $0 == 255 })
        let strong = try ramp.after(.contrast(50)).samples
        #expect(abs(strong[64] - 1) <= 1 && strong[192] == 255)
        #expect(try ramp.after(.contrast(-100)).samples.allSatisfy { $0 == 128 })
        #expect(try ramp.after(.contrast(0), .brightness(0)).samples == ramp.samples)
    }

    @Test func gamma_isUndoneByItsReciprocal() throws {
        let lighter = try ramp.after(.gamma(2.2))
        #expect(lighter[64, 0][0] == Int((pow(64.0 / 255, 1 / 2.2) * 255).rounded()))
        #expect(zip(lighter.samples, ramp.samples).allSatisfy { $0 >= $1 })
        #expect(greatestDistance(try ramp.after(.gamma(2.5), .gamma(0.4)), ramp) <= 1)
        #expect(greatestDistance(try ramp.after(.gamma(1)), ramp) == 0)
    }

    @Test func exposure_doublesLight() throws {
        let brighter = try ramp.after(.exposure(ev: 1)).samples
        for sample in 1...170 {
            let light = decoded(sample) * 2
            #expect(abs(decoded(brighter[sample]) - light) <= 0.5 * (decoded(brighter[sample] + 1) - light + 0.01))
        }
        #expect(brighter[255] == 255)
        #expect(greatestDistance(try ramp.after(.exposure(ev: -2), .exposure(ev: 2)), ramp) <= 1)
    }

    @Test func posterizeAndThreshold_leaveSoManyLevels() throws {
        for levels in [2, 3, 4, 7, 64] {
            let values = Set(try ramp.after(.posterize(levels: levels)).samples)
            #expect(values.count == levels && values.contains(0) && values.contains(255))
        }
        for level in [0, 1, 100, 128, 255] {
            #expect(try ramp.after(.threshold(level: level)).samples == (0...255).map { $0 >= level ? 255 : 0 })
            let greys = FilterSubject(256, 1) { x, _ in [x, x, x] }
            #expect(try greys.after(.threshold(level: level)).samples == (0...255).map { $0 >= level ? 255 : 0 })
        }
    }

    @Test func hue_ofAFullTurnIsNothing_andLumaStays() throws {
        let soft = FilterSubject(64, 64) { x, y in [100 + x / 2, 110 + y / 2, 130 - x / 4] }
        for degrees in [PlainDecimal(360), -360, 0] {
            #expect(greatestDistance(try soft.after(.hue(degrees: degrees)), soft) == 0)
        }
        for degrees in [PlainDecimal(30), 120, -75, 180] {
            let turned = try soft.after(.hue(degrees: degrees))
            #expect(zip(turned.luma, soft.luma).allSatisfy { abs($0 - $1) <= 0.6 })
            #expect(greatestDistance(turned, soft) > 5)
        }
        let there = try soft.widened.after(.hue(degrees: 100), .hue(degrees: -100))
        #expect(greatestDistance(there, soft.widened) <= 2)
        let primaries = FilterSubject(1, 1) { _, _ in [200, 60, 60] }
        let green = try primaries.after(.hue(degrees: 120)).samples
        #expect(green[1] > green[0] && green[1] > green[2])
    }

    @Test func saturation_scalesTheDistanceFromLuma() throws {
        let scene = FilterSubject.scene()
        let grey = try scene.after(.saturation(-100))
        for (index, luma) in scene.luma.enumerated() {
            #expect((0..<3).allSatisfy { abs(Double(grey.samples[index * 3 + $0]) - luma) <= 0.51 })
        }
        let pale = FilterSubject(1, 1) { _, _ in [120, 130, 125] }
        let strong = FilterSubject(1, 1) { _, _ in [10, 240, 60] }
        func spread(_ subject: FilterSubject) -> Double {
            let pixel = subject.samples
            return Double((pixel.max() ?? 0) - (pixel.min() ?? 0))
        }
        #expect(spread(try pale.after(.saturation(100))) == 20)
        let (paler, stronger) = (try pale.after(.vibrance(-50)), try strong.after(.vibrance(-50)))
        #expect(spread(paler) / spread(pale) < spread(stronger) / spread(strong))
        let gain = (
            spread(try pale.after(.vibrance(100))) / spread(pale),
            spread(try strong.after(.vibrance(100))) / spread(strong)
        )
        #expect(gain.0 > 1.5 && gain.1 < 1.2)
    }

    @Test func sepia_isItsMatrix() throws {
        let source = FilterSubject(3, 1) { x, _ in [[100, 50, 20], [255, 255, 255], [0, 0, 0]][x] }
        let brown = try source.after(.sepia(percent: 100))
        #expect(brown[0, 0] == [82, 73, 57])
        #expect(brown[1, 0] == [255, 255, 239] && brown[2, 0] == [0, 0, 0])
        #expect(try source.after(.sepia(percent: 50))[0, 0] == [91, 61, 38])
        #expect(try ramp.after(.sepia(percent: 100)).bands == 3)
    }

    @Test func tintAndDuotone_paintLuma() throws {
        let teal = Color(red: 0, green: 128, blue: 128)
        let tinted = try ramp.after(.tint(color: teal, percent: 100))
        #expect(tinted[0, 0] == [0, 0, 0] && tinted[255, 0] == [255, 255, 255])
        #expect(zip(tinted.luma, ramp.luma).allSatisfy { abs($0 - $1) <= 0.6 })
        // The grey of the color's own luma becomes the color.
        #expect(zip(tinted[101, 0], [0, 128, 128]).allSatisfy { abs($0 - $1) <= 2 })
        let veil = Color(red: 0, green: 128, blue: 128, alpha: 0)
        #expect(greatestDistance(try FilterSubject.scene().after(.tint(color: veil, percent: 100)), .scene()) == 0)
        let (dark, light) = (Color(red: 10, green: 20, blue: 60), Color(red: 250, green: 200, blue: 100))
        let duotone = try ramp.after(.duotone(dark: dark, light: light, percent: 100))
        #expect(duotone[0, 0] == [10, 20, 60] && duotone[255, 0] == [250, 200, 100])
        #expect(zip(duotone[51, 0], [58, 56, 68]).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test func highlightsAndShadows_keepBlackWhiteAndOrder() throws {
        for filter in [ImageFilter.highlights(-100), .highlights(100), .shadows(-100), .shadows(100)] {
            let curve = try ramp.after(filter).samples
            #expect(curve[0] == 0 && curve[255] == 255)
            #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 })
        }
        let (lights, darks) = (try ramp.after(.highlights(-100)).samples, try ramp.after(.shadows(100)).samples)
        #expect(192 - lights[192] > 3 * (48 - lights[48]) && lights[192] < 140)
        #expect(darks[48] - 48 > 3 * (darks[192] - 192) && darks[48] > 90)
    }

    @Test func temperature_warmsAndCools() throws {
        let grey = FilterSubject(1, 1) { _, _ in [128] }
        let (warm, cold) = (try grey.after(.temperature(60)).samples, try grey.after(.temperature(-60)).samples)
        #expect(warm[0] > warm[1] && warm[1] > warm[2] && cold[0] < cold[1] && cold[1] < cold[2])
        #expect(abs((try grey.after(.temperature(60), .grayscale)).samples[0] - 128) <= 1)
    }

    @Test func vignette_isSymmetricAndDarkestInTheCorners() throws {
        let white = FilterSubject(41, 30) { _, _ in [255] }
        let dark = try white.after(.vignette(percent: 100))
        for y in 0..<30 {
            for x in 0..<41 {
                #expect(dark[x, y] == dark[40 - x, y] && dark[x, y] == dark[x, 29 - y])
            }
        }
        #expect(dark[20, 15][0] == 255 && dark[0, 0][0] < 60 && dark[0, 15][0] > 180)
        #expect(try white.after(.vignette(percent: 0)) == white)
    }

    @Test func noise_isGaussianAndFollowsItsSeed() throws {
        let grey = FilterSubject(200, 200) { _, _ in [128, 128, 128] }
        let noisy = try grey.after(.noise(amount: 20, seed: 7))
        #expect(noisy.band(0) == noisy.band(1) && noisy.band(0) == noisy.band(2))
        let values = noisy.band(0).map { Double($0) - 128 }
        let mean = values.reduce(0, +) / 40000
        let deviation = (values.reduce(0) { $0 + $1 * $1 } / 40000 - mean * mean).squareRoot()
        #expect(abs(mean) < 0.4 && abs(deviation - 20) < 0.4)
        let within = Double(values.filter { abs($0) <= 20.5 }.count) / 40000
        #expect(abs(within - 0.69) < 0.03)
        #expect(try grey.after(.noise(amount: 20, seed: 7)) == noisy)
        #expect(try grey.after(.noise(amount: 20, seed: 8)) != noisy)
    }
}
