import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct FormatTests {
        @Test(arguments: OutputFormat.allCases)
        func everyOutputIsReadBackWithItsSize(_ output: OutputFormat) throws {
            let source = try texture(61, 37, .png)
            let rendered = try render(source, "width=40&height=20&fit=fill", output)
            let header = try ImageEngine.probe(rendered.content, limits: ImageLimits())
            #expect(header.format.rawValue == output.rawValue)
            #expect(ImageEngine.sniff(rendered.content)?.rawValue == output.rawValue)
            #expect([header.widthPx, header.heightPx] == [40, 20])
            #expect([rendered.widthPx, rendered.heightPx] == [40, 20])
            #expect(rendered.format == output)
        }

        @Test(arguments: [
            ("%PDF 1.7 ", false), ("BM000000000", false), ("<html><body>", false), ("", false),
            ("RIFF0000WAVE", false), ("%PDF-1.7 ", true), ("<?xml version='1.0'?><svg xmlns=''/>", true),
            ("GIF89a", true), ("RIFF0000WEBPVP8 ", true),
        ])
        func onlyKnownBeginningsAreSniffed(_ text: String, _ isKnown: Bool) throws {
            let bytes = SharedBytes(Array(text.utf8))
            #expect((ImageEngine.sniff(bytes) != nil) == isKnown)
            if !isKnown { #expect(try renderError(bytes) == .unsupportedFormat) }
        }

        @Test func brandsOfTheContainerAreToldApart() {
            func file(_ brands: String) -> SharedBytes {
                SharedBytes([0, 0, 0, 28] + Array(("ftyp" + brands).utf8) + [UInt8](repeating: 0, count: 16))
            }
            #expect(ImageEngine.sniff(file("avif0000mif1")) == .avif)
            #expect(ImageEngine.sniff(file("heic0000mif1")) == .heic)
            #expect(ImageEngine.sniff(file("mif10000miafheic")) == .heic)
            #expect(ImageEngine.sniff(file("mif10000mif1avif")) == .avif)
            #expect(ImageEngine.sniff(file("isom0000avif")) == nil)
        }

        @Test func alphaSurvivesWhereTheFormatHoldsIt() throws {
            let source = try picture(40, 40, .png) { x, _ in x < 20 ? [0, 0, 0, 0] : [100, 50, 0, 200] }
            #expect(try ImageEngine.probe(source, limits: ImageLimits()).hasAlpha)
            for output in [OutputFormat.png, .webp, .avif] {
                let content = try render(source, "width=20", output).content
                #expect(try ImageEngine.probe(content, limits: ImageLimits()).hasAlpha, "\(output)")
            }
            let png = try Decoded(render(source, "width=20", .png).content)
            #expect(png[2, 5][3] == 0)
            #expect(abs(Int(png[17, 5][3]) - 200) <= 1)
            // Straight color again: 100 of 200 is 127 of 255.
            #expect(abs(Int(png[17, 5][0]) - 127) <= 2)
        }

        @Test func alphaIsLaidOnTheBackgroundForJPEG() throws {
            let source = try picture(40, 40, .png) { _, _ in [0, 0, 0, 0] }
            let white = try Decoded(render(source, "width=20", .jpeg).content)
            #expect(white[10, 10].allSatisfy { $0 > 250 })
            let blueish = try Decoded(render(source, "width=20&background=0000ff", .jpeg).content)
            #expect(blueish[10, 10][2] > 245 && blueish[10, 10][0] < 10)
        }

        @Test func colorDoesNotBleedOutOfTransparentPixels() throws {
            // Red, transparent; white, opaque: averaged without premultiplying, the edge would turn pink.
            let source = try picture(64, 8, .png) { x, _ in x < 33 ? [0, 0, 0, 0] : [255, 255, 255, 255] }
            let small = try Decoded(render(source, "width=16&height=2&fit=fill").content)
            for x in 0..<16 where small[x, 1][3] > 8 { #expect(small[x, 1][0] > 250) }
        }

        @Test func opaquePixelsAreEncodedWithoutAlpha() throws {
            let source = try picture(8, 8, .png) { _, _ in red }
            #expect(try !ImageEngine.probe(source, limits: ImageLimits()).hasAlpha)
        }

        @Test func pixelsThatDoNotMatchTheSizeAreRefused() throws {
            try engineStart.get()
            for (width, height) in [(4, 5), (0, 0), (-1, -16), (Int.max, 2)] {
                #expect(throws: ImageError.operationFailed(log: "pixels do not match the size")) {
                    try ImageEngine.encode(
                        rgba: SharedBytes([UInt8](repeating: 0, count: 64)), widthPx: width, heightPx: height,
                        output: .png, quality: nil, shouldStop: { false })
                }
            }
        }

        @Test func noMetadataLeaves() throws {
            let plain = try texture(80, 60, .jpeg)
            var source = withOrientation(1, plain)
            source = inserting(0xfe, Array("SECRET comment".utf8), into: source)
            source = inserting(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta SECRET/>".utf8), into: source)
            let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 200)
            source = inserting(0xe2, profile, into: source)
            for output in OutputFormat.allCases {
                let text = String(decoding: try render(source, "width=40", output).content.array, as: UTF8.self)
                for word in ["Exif", "EXIF", "SECRET", "xmpmeta", "ICC_PROFILE", "ICCP", "iCCP"] {
                    #expect(!text.contains(word), "\(word) in \(output)")
                }
            }
        }

        @Test func lowerQualityIsSmaller() throws {
            let source = try texture(120, 90, .png)
            for output in [OutputFormat.jpeg, .webp, .avif] {
                let low = try render(source, "quality=20", output).content.count
                let high = try render(source, "quality=95", output).content.count
                #expect(low < high, "\(output)")
            }
        }
    }
}
