import Foundation
import ImagePlan
import TestSupport
import Testing

/// All of these start processes and measure them: one after another.
@Suite(
    .timeLimit(.minutes(5)), .serialized,
    .enabled(if: ReleaseBinary.isPresent, "no release binary: set VEDUTA_BINARY or use scripts/test"))
enum EndToEnd {}

extension EndToEnd {
    @Suite struct PictureTests {
        @Test func jpegHasExactlyTheSizeAsked() throws {
            let server = try ReleaseServer()
            let target = "/asset?id=\(server.library.photo)&width=800&height=600&fit=cover&format=jpeg"
            let reply = try server.get(target)
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "image/jpeg")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            #expect(reply["Server-Timing"]?.contains("decode;dur=") == true)
            #expect(reply["X-Request-Id"]?.isEmpty == false)
            let picture = try DecodedPicture(reply.content)
            #expect(picture.format == .jpeg)
            #expect(picture.widthPx == 800 && picture.heightPx == 600)
            let again = try server.get(target)
            #expect(again.content == reply.content)
            #expect(again["Cache-Status"]?.hasPrefix("veduta; hit; ttl=") == true)
            #expect(server.stop() == 0)
        }

        @Test func everyFormatIsSentByNameAndByAccept() throws {
            let server = try ReleaseServer()
            for (name, format) in [("jpeg", SourceFormat.jpeg), ("png", .png), ("webp", .webp), ("avif", .avif)] {
                for path in [
                    "/asset?id=\(server.library.photo)&width=120", "/map?latitude=43.77&longitude=11.26&width=96",
                ] {
                    let named = try server.get("\(path)&format=\(name)")
                    #expect(named["Content-Type"] == "image/\(name)")
                    #expect(named["Vary"] == nil)
                    #expect(try DecodedPicture(named.content).format == format, "\(path) \(name)")
                    let refused = ["jpeg", "png", "webp", "avif"].filter { $0 != name }
                    let accept = "image/\(name)" + refused.map { ", image/\($0);q=0" }.joined()
                    let negotiated = try server.get(path, ["Accept": accept])
                    #expect(negotiated["Content-Type"] == "image/\(name)")
                    #expect(negotiated["Vary"] == "Accept")
                    #expect(try DecodedPicture(negotiated.content).format == format, "\(path) \(name)")
                }
            }
        }

        /// What a process reads is decided when it starts, so this needs one of its own.
        @Test func sourceThatMustBeEnabled_saysHow() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-drawing-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let drawing =
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
            try Data(drawing.utf8).write(to: folder.appending(path: "drawing.svg"))
            let library = TestLibrary(
                folder: folder, mapArchive: nil, photo: "drawing.svg", photoWidthPx: 9, photoHeightPx: 9,
                translucent: "drawing.svg")
            let targets = ["/asset?id=drawing.svg&format=png", "/assets/drawing.svg", "/assets/drawing.svg/pages"]
            let plain = try ReleaseServer(library: library)
            for target in targets {
                let reply = try plain.get(target)
                #expect(reply.status == 415)
                #expect(reply.text.contains("source-not-enabled") && reply.text.contains("VEDUTA_FORMATS=svg"))
            }
            #expect(plain.stop() == 0)
            let enabled = try ReleaseServer(["--formats", "svg"], library: library)
            for target in targets { #expect(try enabled.get(target).status == 200) }
            #expect(enabled.stop() == 0)
        }

        @Test(.enabled(if: SharedData.isPresent, "no test data at ../shared"))
        func orientedPicturesStandUpright() throws {
            let server = try ReleaseServer()
            for orientation in 1...8 {
                let reply = try server.get("/asset?id=orient_\(orientation).jpg&width=320&format=png")
                let picture = try DecodedPicture(reply.content)
                #expect(picture.widthPx == 320 && picture.heightPx == 240, "\(orientation)")
                let (red, blue) = (picture[6, 6], picture[313, 233])
                #expect(red[0] > 180 && red[1] < 90 && red[2] < 90, "\(orientation): \(red)")
                #expect(blue[2] > 180 && blue[0] < 90 && blue[1] < 90, "\(orientation): \(blue)")
            }
        }

        /// Each query with the size that it gives of a photograph of 4:3 or 3:2.
        @Test func turnedCutAndFilteredPicturesHaveTheirSize() throws {
            let server = try ReleaseServer()
            let (width, height) = (server.library.photoWidthPx, server.library.photoHeightPx)
            let long = (300 * height + width / 2) / width
            let cases: [(query: String, widthPx: Int, heightPx: Int)] = [
                ("width=300", 300, long), ("width=300&rotate=180&flip=v", 300, long),
                ("height=300&rotate=90", long, 300), ("height=300&rotate=-90&flip=h", long, 300),
                ("width=150&crop=square", 150, 150), ("width=160&crop=16:9,top", 160, 90),
                ("crop=100,50,333,77", 333, 77), ("crop=0.25,0.25,0.5,0.5&width=200", 200, long * 2 / 3),
                ("width=200&height=90&fit=contain&background=336699", 200, 90),
                ("width=200&height=90&fit=fill", 200, 90), ("width=100&height=90&scale=2&fit=cover", 200, 180),
                ("width=300&filter=grayscale,blur:2,sharpen,brightness:10,contrast:-20", 300, long),
                ("width=1&height=1&fit=fill", 1, 1),
            ]
            for item in cases {
                let reply = try server.get("/asset?id=\(server.library.photo)&\(item.query)&format=png")
                #expect(reply.status == 200, "\(item.query): \(reply.text)")
                let picture = try DecodedPicture(reply.content)
                #expect(picture.widthPx == item.widthPx, "\(item.query)")
                #expect(abs(picture.heightPx - item.heightPx) <= (item.query.contains("0.25") ? 1 : 0), "\(item.query)")
                if item.query.contains("grayscale") {
                    #expect(picture.share { abs($0 - $1) < 3 && abs($1 - $2) < 3 } == 1)
                }
            }
        }

        @Test func knownTagsAreAnsweredWithoutAPicture() throws {
            let server = try ReleaseServer()
            let pictures = ["/asset?id=\(server.library.photo)&w=99", "/map?lat=43.77&lon=11.26&w=96&h=96"]
            for target in pictures {
                let reply = try server.get(target)
                let tag = try #require(reply["ETag"])
                #expect(tag.hasPrefix("\""))
                for list in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                    let known = try server.get(target, ["If-None-Match": list])
                    #expect(known.status == 304 && known.content.isEmpty)
                    #expect(known["ETag"] == tag && known["Vary"] == "Accept")
                }
                #expect(try server.get(target, ["If-None-Match": "\"other\""]).status == 200)
            }
            let dated = try server.get(pictures[0])
            let date = try #require(dated["Last-Modified"])
            #expect(try server.get(pictures[0], ["If-Modified-Since": date]).status == 304)
            #expect(try server.metric("veduta_renders_total") == 2)
            // The tag is known before the work, and again after a restart.
            let second = try ReleaseServer()
            let known = try second.get(pictures[0], ["If-None-Match": dated["ETag"] ?? ""])
            #expect(known.status == 304)
            #expect(try second.metric("veduta_renders_total") == 0)
        }

        @Test func allFaultsComeInOneAnswer() throws {
            let server = try ReleaseServer()
            let slip = try server.get("/asset?id=\(server.library.photo)&widht=100")
            #expect(slip.status == 400)
            #expect(slip["Content-Type"] == "application/problem+json")
            #expect(slip.text.contains("did you mean `width`?"))
            let three = try server.get("/asset?id=x&width=0&height=many&rotate=crooked")
            #expect(three.status == 400)
            #expect(three.text.components(separatedBy: "\"parameter\":").count == 4, "\(three.text)")
            #expect(try server.get("/asset?id=none.jpg").status == 404)
            #expect(try server.get("/map?latitude=91&longitude=0").status == 400)
        }
    }
}
