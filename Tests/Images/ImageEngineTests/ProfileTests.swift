import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct ProfileTests {
        private static let red = [0.4361, 0.2225, 0.0139]
        private static let green = [0.3851, 0.7169, 0.0971]
        private static let blue = [0.1431, 0.0606, 0.7141]

        /// A profile of primaries and a gamma of 2.2; for grey, of a gamma of 1.
        private func profile(
            _ space: String = "RGB ", primaries: [[Double]] = [red, green, blue], description: String = "sRGB",
            copyright: String = "none"
        ) -> [UInt8] {
            func text(_ kind: String, _ text: String) -> [UInt8] {
                let body = Array(text.utf8) + [0]
                let head = Array(kind.utf8) + [0, 0, 0, 0]
                let described = big(body.count, 4) + body + [UInt8](repeating: 0, count: 78)
                return head + (kind == "text" ? body : described)
            }
            func point(_ values: [Double]) -> [UInt8] {
                Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { big(Int($0 * 65536), 4) }
            }
            func curve(_ gamma: Double) -> [UInt8] {
                Array("curv".utf8) + [
                    0, 0, 0, 0, 0, 0, 0, 1, UInt8(gamma), UInt8(gamma.truncatingRemainder(dividingBy: 1) * 256),
                ]
            }
            var elements: [(String, [UInt8])] = [
                ("desc", text("desc", description)), ("cprt", text("text", copyright)),
                ("wtpt", point([0.9642, 1, 0.8249])),
            ]
            if space == "GRAY" {
                elements.append(("kTRC", curve(1)))
            } else {
                for (name, values) in zip("rgb", primaries) {
                    elements += [("\(name)XYZ", point(values)), ("\(name)TRC", curve(2.2))]
                }
            }
            var table = big(elements.count, 4)
            var body: [UInt8] = []
            for (name, element) in elements {
                table += Array(name.utf8) + big(132 + elements.count * 12 + body.count, 4) + big(element.count, 4)
                body += element + [UInt8](repeating: 0, count: (4 - element.count % 4) % 4)
            }
            var head = [UInt8](repeating: 0, count: 128)
            head.replaceSubrange(0..<4, with: big(128 + table.count + body.count, 4))
            head.replaceSubrange(8..<24, with: [2, 0x40, 0, 0] + Array("mntr\(space)XYZ ".utf8))
            head.replaceSubrange(36..<40, with: Array("acsp".utf8))
            head.replaceSubrange(68..<80, with: big(0xf6d6, 4) + big(0x10000, 4) + big(0xd32d, 4))
            return head + table + body
        }

        private func tagged(_ jpeg: SharedBytes, _ profile: [UInt8]) -> SharedBytes {
            inserting(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile, into: jpeg)
        }

        private func samples(_ source: SharedBytes) throws -> [UInt8] {
            try Decoded(render(source, "width=20").content).samples
        }

        private func isSRGB(_ bytes: [UInt8]) -> Bool { ICCProfile(SharedBytes(bytes).span).describesSRGB }

        @Test func sRGBIsKnownByPrimariesAndDescription() {
            #expect(isSRGB(profile(description: "sRGB IEC61966-2.1")))
            #expect(!isSRGB(profile(description: "Display P3")))
            #expect(!isSRGB(profile(description: "sRGB linear")))
            #expect(!isSRGB(profile(primaries: [Self.green, Self.red, Self.blue])))
            #expect(!isSRGB(profile(primaries: [[0.5151, 0.2412, -0.0011], Self.green, Self.blue])))
            #expect(!isSRGB(profile(description: "camera", copyright: "not sRGB")))
            let whole = profile()
            for count in 0..<whole.count where isSRGB(Array(whole[..<count])) {
                #expect(count > whole.count / 2)
            }
        }

        @Test func aProfileThatOnlyMentionsSRGBIsUsed() throws {
            let jpeg = try corners()
            let plain = try samples(jpeg)
            let swapped = profile(primaries: [Self.green, Self.red, Self.blue], copyright: "not sRGB")
            #expect(try samples(tagged(jpeg, swapped)) != plain)
            #expect(try samples(tagged(jpeg, profile())) == plain)
            let image = try Decoded(render(tagged(jpeg, swapped), "width=64").content)
            #expect(image[2, 2][1] > image[2, 2][0])
        }

        @Test func profilesForOtherColorsAreIgnored() throws {
            let jpeg = try corners()
            let grey = try render(jpeg, "filter=grayscale", .jpeg).content
            let foreign = profile(primaries: [Self.green, Self.red, Self.blue], description: "camera")
            #expect(try samples(tagged(grey, foreign)) == samples(grey))
            #expect(try samples(tagged(grey, profile("Lab "))) == samples(grey))
            #expect(try samples(tagged(grey, profile("CMYK"))) == samples(grey))
            #expect(try samples(tagged(jpeg, profile("GRAY"))) == samples(jpeg))
            #expect(try samples(tagged(jpeg, profile("Lab "))) == samples(jpeg))
            #expect(try samples(tagged(jpeg, profile("CMYK"))) == samples(jpeg))
            // One for grey is used.
            #expect(try samples(tagged(grey, profile("GRAY"))) != samples(grey))
        }

        @Test func brokenProfilesLeaveThePixels() throws {
            let jpeg = try corners()
            let grey = try render(jpeg, "filter=grayscale", .jpeg).content
            for source in [jpeg, grey] {
                let plain = try samples(source)
                let garbage = [UInt8](repeating: 7, count: 500)
                #expect(try samples(tagged(source, garbage)) == plain)
                let space = source.count == jpeg.count ? "RGB " : "GRAY"
                let whole = profile(space, description: "camera")
                for count in [20, 127, 130, 200, whole.count - 30] {
                    #expect(try renderError(tagged(source, Array(whole[..<count]))) == nil, "\(count)")
                }
            }
        }

        private func count(_ text: String, in file: SharedBytes) -> Int {
            let (bytes, name) = (file.withUnsafeBytes { Array($0) }, Array(text.utf8))
            return bytes.indices.count { bytes[$0...].starts(with: name) }
        }

        @Test func picturesHaveOneProfileAtMost() throws {
            let source = try tagged(corners(), profile(description: "camera"))
            let names: [(OutputFormat, String)] = [
                (.jpeg, "ICC_PROFILE\0"), (.png, "iCCP"), (.webp, "ICCP"), (.avif, "rICC"), (.tiff, "acsp"),
            ]
            for (format, name) in names {
                for query in ["", "width=20", "progressive=1", "metadata=keep"] {
                    let asked = query.isEmpty ? "" : query + "&"
                    for (profile, expected) in [("keep", 1), ("p3", 1), ("srgb", 0)] {
                        let picture = try render(source, asked + "profile=\(profile)", format).content
                        #expect(count(name, in: picture) == expected, "\(format) \(query) \(profile)")
                    }
                }
            }
        }

        /// libvips writes the colors of ink, and the profile with them.
        @Test(.enabled(if: Shared.isPresent)) func inkHasOneProfileAtMost() throws {
            let ink = try tagged(Shared.read("images/sh_cmyk_noprofile.jpg"), profile("CMYK"))
            for (format, name) in [(OutputFormat.jpeg, "ICC_PROFILE\0"), (.tiff, "acsp")] {
                for query in ["profile=keep", "profile=keep&width=40"] {
                    #expect(try count(name, in: render(ink, query, format).content) == 1, "\(format) \(query)")
                }
                #expect(try count(name, in: render(ink, "width=40", format).content) == 0, "\(format)")
            }
        }

        @Test(.enabled(if: Shared.isPresent)) func inkWithAProfileForLightIsTakenForPlainInk() throws {
            let ink = try Shared.read("images/sh_cmyk_noprofile.jpg")
            #expect(try samples(tagged(ink, profile(description: "camera"))) == samples(ink))
            #expect(try renderError(tagged(ink, profile("CMYK"))) == nil)
        }
    }
}
