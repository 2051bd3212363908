import Bytes
import CVips
import Colors
import Glibc
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Charts through the whole engine, compared as CIEDE2000.
    @Suite struct ColorTests {
        /// 6 × 6 × 6 patches of 8 × 8 pixels.
        private static let levels = [0, 51, 102, 153, 204, 255]
        private static let patches = levels.flatMap { r in levels.flatMap { g in levels.map { b in [r, g, b] } } }

        private func chart(_ output: OutputFormat = .png) throws -> SharedBytes {
            try picture(18 * 8, 12 * 8, output) { x, y in Self.patches[y / 8 * 18 + x / 8].map { UInt8($0) } + [255] }
        }

        /// The middle of every patch, 0–1.
        private func read(_ content: SharedBytes) throws -> [[Double]] {
            let image = try Decoded(content)
            return Self.patches.indices.map { index in
                image[index % 18 * 8 + 4, index / 18 * 8 + 4].prefix(3).map { Double($0) / 255 }
            }
        }

        private func profile(of content: SharedBytes) throws -> [UInt8]? {
            let opened = try Source(content, limits: ImageLimits())
            return opened.image.profileBytes
        }

        @Test func theMeasureGivesPublishedDifferences() {
            // Sharma, Wu, Dalal: The CIEDE2000 color-difference formula, 2005, table 1.
            let pairs: [(Lab, Lab, Double)] = [
                (Lab(l: 50, a: 2.6772, b: -79.7751), Lab(l: 50, a: 0, b: -82.7485), 2.0425),
                (Lab(l: 50, a: 2.5, b: 0), Lab(l: 50, a: 0, b: -2.5), 4.3065),
                (Lab(l: 60.2574, a: -34.0099, b: 36.2677), Lab(l: 60.4626, a: -34.1751, b: 39.4387), 1.2644),
                (Lab(l: 2.0776, a: 0.0795, b: -1.1350), Lab(l: 0.9033, a: -0.0636, b: -0.5514), 0.9082),
            ]
            for (left, right, expected) in pairs { #expect(abs(left.difference(right) - expected) < 0.0001) }
        }

        @Test(arguments: [OutputFormat.png, .tiff, .jpeg, .webp])
        func sRGBIntoDisplayP3KeepsEveryColor(_ format: OutputFormat) throws {
            let source = try chart()
            let content = try carryOut([], on: source, format: format, profile: .p3)
            let attached = try #require(try profile(of: content))
            #expect(attached.count < 1000)
            let isPlain = ICCProfile(SharedBytes(attached).span).describesSRGB
            #expect(!isPlain)
            guard format == .png || format == .tiff else { return }
            for (before, after) in zip(try read(source), try read(content)) {
                let difference = Lab(before, primaries: Lab.sRGB).difference(Lab(after, primaries: Lab.displayP3))
                #expect(difference < 0.9, "\(before) \(after)")
            }
        }

        @Test func displayP3IntoSRGBKeepsWhatFits() throws {
            let wide = try carryOut([], on: chart(), profile: .p3)
            let back = try carryOut([], on: wide)
            #expect(try profile(of: back) == nil)
            for (before, after) in zip(try read(chart()), try read(back)) {
                #expect(Lab(before, primaries: Lab.sRGB).difference(Lab(after, primaries: Lab.sRGB)) < 1.2)
            }
        }

        @Test func keptProfilesLeaveTheSamples() throws {
            let wide = try carryOut([], on: chart(), profile: .p3)
            let kept = try carryOut([], on: wide, profile: .keep)
            #expect(try Decoded(kept).samples == Decoded(wide).samples)
            let (own, attached) = (try profile(of: wide), try profile(of: kept))
            #expect(own == attached)
            let plain = try carryOut([], on: chart(), profile: .keep)
            #expect(try profile(of: plain) == nil)
            #expect(try Decoded(plain).samples == Decoded(chart()).samples)
        }

        /// What is painted is the color that was asked for, whatever the samples mean.
        @Test(arguments: [ColorProfile.srgb, .p3, .keep])
        func colorsOfTheRequestAreMeantAsSRGB(_ policy: ColorProfile) throws {
            let wide = try carryOut([], on: chart(), profile: .p3)
            let canvas = PixelSize(widthPx: 200, heightPx: 100)
            let color = Color(red: 255, green: 30, blue: 0)
            let steps = [ImageStep.pad(canvas: canvas, x: 28, y: 2, background: color)]
            let image = try Decoded(carryOut(steps, on: wide, output: canvas, profile: policy))
            let shown = Lab(
                image[2, 50].map { Double($0) / 255 }, primaries: policy == .srgb ? Lab.sRGB : Lab.displayP3)
            #expect(Lab([1, 30.0 / 255, 0], primaries: Lab.sRGB).difference(shown) < 0.7, "\(image[2, 50])")
            let mark = try picture(20, 20, .png) { _, _ in [255, 30, 0, 255] }
            let laid = try Decoded(carryOut([.overlay(Overlay(id: "m"))], on: wide, overlay: mark, profile: policy))
            #expect(laid[72, 48] == image[2, 50])
        }

        @Test func greyStaysGreyWithoutAProfileInDisplayP3() throws {
            let grey = try picture(30, 30, .png) { x, _ in [UInt8(x * 8), UInt8(x * 8), UInt8(x * 8), 255] }
            let one = try carryOut([.filter(.grayscale)], on: grey)
            let wide = try carryOut([], on: one, profile: .p3)
            #expect(try profile(of: wide) == nil)
            #expect(try Decoded(wide).samples == Decoded(one).samples)
            let fromRGB = try Decoded(carryOut([], on: grey, profile: .p3))
            #expect(fromRGB[20, 20].allSatisfy { abs(Int($0) - 160) <= 1 })
        }

        @Test(.enabled(if: Shared.isPresent)) func realWidePhotographKeepsItsColors() throws {
            let photo = try Shared.read("images/photo1_p3.jpg")
            let size = PixelSize(widthPx: 60, heightPx: 40)
            let srgb = try Decoded(carryOut([.resize(size)], on: photo, output: size))
            let p3 = try carryOut([.resize(size)], on: photo, output: size, profile: .p3)
            let kept = try carryOut([.resize(size)], on: photo, output: size, profile: .keep)
            let (own, attached) = (try profile(of: photo), try profile(of: kept))
            #expect(own == attached)
            let wide = try Decoded(p3)
            var total = 0.0
            for y in 0..<40 {
                for x in 0..<60 {
                    let left = Lab(srgb[x, y].map { Double($0) / 255 }, primaries: Lab.sRGB)
                    total += left.difference(Lab(wide[x, y].map { Double($0) / 255 }, primaries: Lab.displayP3))
                }
            }
            #expect(total / 2400 < 1)
        }

        @Test(.enabled(if: Shared.isPresent), arguments: ["sh_cmyk.jpg", "photo1_cmyk.jpg", "sh_cmyk_noprofile.jpg"])
        func inkComesOutInLightOrStaysInk(_ name: String) throws {
            let ink = try Shared.read("images/\(name)")
            let size = PixelSize(widthPx: 80, heightPx: 60)
            #expect(try Decoded(carryOut([.resize(size)], on: ink, output: size, look: "cmyk-\(name)")).bands == 3)
            let kept = try carryOut([.resize(size)], on: ink, output: size, format: .jpeg, profile: .keep)
            let opened = try Source(kept, limits: ImageLimits())
            let original = try Source(ink, limits: ImageLimits())
            let own = original.image.fittingProfile
            let (bands, attached) = (opened.image.bands, opened.image.profileBytes)
            let expected = own == nil ? 3 : 4
            #expect(bands == expected)
            #expect(attached == own)
            // Paint needs light.
            let canvas = PixelSize(widthPx: 90, heightPx: 60)
            let padded = try carryOut(
                [.resize(size), .pad(canvas: canvas, x: 5, y: 0, background: .white)], on: ink, output: canvas,
                format: .jpeg, profile: .keep)
            #expect(try Decoded(padded).bands == 3)
        }
    }
}
