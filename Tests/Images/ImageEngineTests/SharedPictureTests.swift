import Bytes
import Foundation
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite(.enabled(if: Shared.isPresent, "no test data at ../shared")) struct SharedPictureTests {
        private struct Manifest: Decodable {
            struct Case: Decodable {
                let name: String
                let kind: String
                let expect: String
            }
            let cases: [Case]
        }

        @Test func hostileFilesEndAsTheManifestSays() throws {
            let json = try Shared.read("hostile/manifest.json")
            let manifest = try JSONDecoder().decode(Manifest.self, from: Data(json.array))
            for item in manifest.cases where item.kind == "file" {
                let error = try renderError(Shared.read("hostile/files/\(item.name)"), "width=200")
                switch item.expect {
                case "accept": #expect(error == nil, "\(item.name)")
                case "reject": #expect(error != nil, "\(item.name)")
                default: break
                }
            }
        }

        @Test(arguments: [
            ("photo12_seeding.jpg", SourceFormat.jpeg, 4000, 3000), ("photo12_orient6.jpg", .jpeg, 3000, 4000),
            ("photo1_alpha.png", .png, 1200, 900), ("photo1.avif", .avif, 1200, 900), ("photo1.heic", .heic, 1200, 900),
            ("anim12.gif", .gif, 320, 240), ("anim12.webp", .webp, 320, 240), ("multipage5_jpeg.tif", .tiff, 800, 600),
        ])
        func probesSayWhatTheManifestSays(
            _ name: String, _ format: SourceFormat, _ widthPx: Int, _ heightPx: Int
        ) throws {
            try engineStart.get()
            let header = try ImageEngine.probe(Shared.read("images/\(name)"), limits: ImageLimits())
            #expect(header.format == format)
            #expect(header.widthPx == widthPx && header.heightPx == heightPx)
            #expect((header.pageCount > 1) == (name.hasPrefix("anim") || name.hasPrefix("multi")))
            // Animations have alpha: frames may leave parts of the canvas free.
            #expect(header.hasAlpha == (name.contains("alpha") || name.hasPrefix("anim")))
        }

        /// Pixels for drawing are those of the PNG that would be made.
        @Test(arguments: [
            "photo1_16bit.tif", "photo1_alpha.png", "photo1_palette.png", "photo1_gray.png", "photo1_p3.jpg",
            "photo1_cmyk.jpg", "orient_6.jpg", "anim12.gif", "vector.svg",
        ])
        func renderedPixelsAreThoseOfThePNG(_ name: String) throws {
            try engineStart.get()
            let sources = RenderSources(try Shared.read("images/\(name)"))
            for query in ["width=40", "width=30&height=50&fit=cover&gravity=attention&enlarge=1"] {
                let request = try ImageRequest.parse(QueryItems.parse("id=x&format=png&" + query))
                let drawn = try ImageEngine.renderPixels(sources, request: request, in: RenderContext())
                let image = try ImageEngine.render(
                    sources, request: request, accepting: Acceptance(only: .png), in: RenderContext())
                let read = try ImageEngine.pixels(of: image.content, in: RenderContext())
                #expect(drawn.widthPx == read.widthPx && drawn.heightPx == read.heightPx)
                #expect(drawn.rgba.array == read.rgba.array, "\(query)")
            }
        }

        /// The same photograph in every encoding looks the same.
        @Test(arguments: [
            "photo1_16bit.tif", "photo1_alpha.png", "photo1_alpha_lossless.webp", "photo1_p3.jpg", "photo1.avif",
            "photo1.heic", "photo1_palette.png", "photo1_cmyk.jpg", "photo12_seeding.jpg",
        ])
        func everyEncodingOfAPhotographLooksTheSame(_ name: String) throws {
            let reference = try Decoded(render(Shared.read("images/photo1_interlaced.png"), "width=60").content)
            let image = try Decoded(render(Shared.read("images/\(name)"), "width=60").content)
            #expect(image.widthPx == 60 && image.heightPx == 45)
            var worst = 0.0
            for (x, y) in [(15, 10), (25, 10), (15, 30), (30, 15)] {
                let rect = PixelRect(x: x, y: y, widthPx: 12, heightPx: 10)
                worst = max(worst, zip(image.mean(rect), reference.mean(rect)).map { abs($0 - $1) }.max() ?? 0)
            }
            #expect(worst < (name.contains("cmyk") ? 20 : 6), "\(worst)")
        }

        @Test func profilesStayBehind() throws {
            for name in ["photo1_p3.jpg", "photo1_cmyk.jpg", "sh_cmyk_noprofile.jpg", "lv_xyb.jpg"] {
                for output in OutputFormat.allCases {
                    let sent = try render(Shared.read("images/\(name)"), "width=8", output).content
                    #expect(sent.count < 1500, "\(name) as \(output)")
                }
            }
        }

        @Test func greyStaysGrey() throws {
            for name in ["photo1_gray.jpg", "photo1_gray.png", "photo1_1bit.png"] {
                #expect(try Decoded(render(Shared.read("images/\(name)"), "width=60").content).bands == 1, "\(name)")
            }
        }

        @Test func placeOfAPhotographIsNotSent() throws {
            let source = try Shared.read("images/photo12_seeding.jpg")
            #expect(String(decoding: source.array.prefix(4096), as: UTF8.self).contains("Exif"))
            let sent = try render(source, "width=300", .jpeg).content.array
            #expect(!String(decoding: sent, as: UTF8.self).contains("Exif"))
        }
    }
}
