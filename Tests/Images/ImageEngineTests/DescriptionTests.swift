import Bytes
import Colors
import Foundation
import ImagePlan
import Parameters
import SeededRandom
import Testing

@testable import ImageEngine

private func describe(
    _ source: SharedBytes, limits: ImageLimits = ImageLimits(), shouldStop: @escaping @Sendable () -> Bool = { false }
) throws -> ImageDescription {
    try engineStart.get()
    return try ImageEngine.describe(
        source, in: RenderContext(options: RenderOptions(limits: limits), shouldStop: shouldStop))
}

extension EngineTests {
    @Suite struct DescriptionTests {
        @Test func evenPicture_hasOneColorAndTheMiddle() throws {
            let described = try describe(picture(300, 200, .png) { _, _ in [40, 120, 200, 255] })
            #expect(described.palette == [PaletteColor(color: Color(red: 40, green: 120, blue: 200), share: 1)])
            #expect(described.dominantColor?.canonical == "2878c8")
            #expect(described.focalPoint == .middle)
            #expect(described.size == PixelSize(widthPx: 300, heightPx: 200))
            #expect(described.animation == nil && described.exif == nil && described.profileName == nil)
        }

        /// #17: a process that was taken over may send so many numbers of that size.
        @Test func lengthsOfFrames_addUpToNoMoreThanIsSafe() {
            let timing = AnimationTiming(delaysMs: [Int](repeating: 1 << 50, count: 16_384), loopCount: 0)
            #expect(timing.durationMs == 1 << 50)
            #expect(AnimationTiming(delaysMs: [40, 60, -5], loopCount: 0).durationMs == 100)
        }

        @Test func paletteNamesTheColorsByTheirShare() throws {
            let described = try describe(corners(64, 48, .png))
            #expect(described.palette.count == 3)
            #expect(described.dominantColor == Color(red: 0, green: 160, blue: 0))
            let shares = described.palette.map(\.share)
            #expect(zip(shares, [0.875, 0.0625, 0.0625]).allSatisfy { abs($0 - $1) < 0.01 }, "\(shares)")
            #expect(Set(described.palette.map(\.color.canonical)) == ["00a000", "ff0000", "0000ff"])
        }

        @Test func transparentParts_doNotCount() throws {
            let half = try picture(80, 60, .png) { x, _ in x < 60 ? [0, 0, 0, 0] : red }
            #expect(try describe(half).palette.map(\.color.canonical) == ["ff0000"])
            #expect(try describe(half).thumbHash[2] & 0x80 == 0x80)
            let nothing = try describe(picture(8, 8, .png) { _, _ in [0, 0, 0, 0] })
            #expect(nothing.palette.isEmpty && nothing.dominantColor == nil && nothing.focalPoint == .middle)
        }

        @Test func focalPoint_isWhereThePictureIs() throws {
            let spot = try picture(240, 160, .jpeg) { x, y in
                guard (168..<216).contains(x), (24..<56).contains(y) else { return [90, 90, 90, 255] }
                return (x / 6 + y / 6) % 2 == 0 ? red : [250, 230, 30, 255]
            }
            let point = try describe(spot).focalPoint
            // The half around a spot near a corner cannot have it in its middle.
            #expect(abs(point.x - 0.75) < 0.06 && abs(point.y - 0.25) < 0.06, "\(point)")
        }

        /// All eight orientations are one picture, and so are what is said of them.
        @Test func orientation_isTakenIntoAccount() throws {
            for orientation in 1...8 {
                let described = try describe(withOrientation(orientation, corners(64, 48, .jpeg)))
                #expect(described.header.widthPx == 64)
                #expect(described.size.widthPx == (orientation > 4 ? 48 : 64))
                let plain = try describe(corners(64, 48, .jpeg))
                #expect((described.blurHash == plain.blurHash) == (orientation == 1))
                #expect((described.thumbHash[4] & 0x80 != 0) == (orientation <= 4))
            }
            let exif = try describe(withOrientation(1, corners())).exif
            #expect(exif == nil || exif?.hasLocation == false)
        }

        @Test func errors_areThoseOfRendering() throws {
            #expect(throws: ImageError.unsupportedFormat) { try describe(SharedBytes(Array("no picture".utf8))) }
            #expect(throws: ImageError.cancelled) { try describe(corners(), shouldStop: { true }) }
            #expect(throws: ImageError.self) { try describe(corners(), limits: ImageLimits(pixelCount: 100)) }
            let whole = try texture(400, 300, .jpeg).array
            #expect(throws: ImageError.self) { try describe(SharedBytes(Array(whole[..<(whole.count / 2)]))) }
        }

        @Test func sameSource_hasTheSameDescription() throws {
            let source = try texture(500, 300, .webp)
            #expect(try describe(source) == describe(source))
        }

        @Test func damagedMetadata_isPassedOver() throws {
            var random = SeededGenerator(state: 3)
            let plain = try corners(64, 48, .jpeg)
            for _ in 0..<40 {
                let rubbish = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let source = inserting(0xe1, Array("Exif\0\0MM\0*".utf8) + rubbish, into: plain)
                #expect(try describe(source).blurHash.count == 28)
            }
        }
    }

    @Suite(.enabled(if: Shared.isPresent, "no test data at ../shared")) struct SharedDescriptionTests {
        @Test func photograph_isDescribed() throws {
            let described = try describe(Shared.read("images/photo12_seeding.jpg"))
            #expect(described.size == PixelSize(widthPx: 4000, heightPx: 3000))
            #expect(described.exif?.hasLocation == true)
            #expect((2...6).contains(described.palette.count))
            #expect(described.thumbHash.count > 15 && described.bandCount == 3)
        }

        @Test func samePhotograph_looksTheSameInEveryFormat() throws {
            let reference = try describe(Shared.read("images/photo1_interlaced.png"))
            for name in ["photo1.avif", "photo1.heic", "photo1_palette.png", "photo1_p3.jpg", "photo1_16bit.tif"] {
                let described = try describe(Shared.read("images/\(name)"))
                let (one, other) = (try #require(described.dominantColor), try #require(reference.dominantColor))
                let distance = [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)].map {
                    abs(Int($0) - Int($1))
                }
                #expect(distance.max() ?? 0 < 25, "\(name) \(one.canonical) \(other.canonical)")
                #expect(abs(described.focalPoint.x - reference.focalPoint.x) < 0.05, "\(name)")
            }
        }

        @Test func animation_isTimed() throws {
            let three = try describe(Shared.read("images/sh_loop3.gif"))
            #expect(three.header.pageCount == 10 && three.animation?.loopCount == 3)
            #expect(three.animation?.delaysMs.count == 10)
            let endless = try describe(Shared.read("images/anim12.webp"))
            #expect(endless.animation?.loopCount == 0 && endless.animation?.delaysMs.count == 12)
            #expect((endless.animation?.durationMs ?? 0) > 100)
            #expect(try describe(Shared.read("images/multipage5_jpeg.tif")).animation == nil)
        }

        @Test func profilesAreNamed() throws {
            #expect(try describe(Shared.read("images/photo1_p3.jpg")).profileName?.contains("P3") == true)
            #expect(try describe(Shared.read("images/sh_cmyk.jpg")).profileName?.isEmpty == false)
            #expect(try describe(Shared.read("images/sh_cmyk_noprofile.jpg")).profileName == nil)
        }

        @Test func hostileFiles_neverTrap() throws {
            // What drawings can do belongs to their loaders, and takes seconds.
            for name in try Shared.names("hostile/files") where !name.hasSuffix(".svg") && !name.hasSuffix(".pdf") {
                _ = try? describe(Shared.read("hostile/files/\(name)"))
            }
        }
    }
}

extension Shared {
    /// What lies in a folder of the test data.
    fileprivate static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
    }
}
