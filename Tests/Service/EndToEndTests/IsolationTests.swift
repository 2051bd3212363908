import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Images that are decoded in processes of their own.
    @Suite struct IsolationTests {
        private static let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#def"/>
            <text x="5" y="28" font-family="serif" font-size="20">Veduta 1</text></svg>
            """

        /// A library with a photograph, a translucent image, a drawing, and a file that is none.
        private static func library() throws -> TestLibrary {
            let standard = try TestLibrary.standard.get()
            let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-apart-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in [standard.photo, standard.translucent] {
                try FileManager.default.copyItem(
                    at: standard.folder.appending(path: name), to: folder.appending(path: name))
            }
            try Data(drawing.utf8).write(to: folder.appending(path: "drawing.svg"))
            let photo = try Data(contentsOf: folder.appending(path: standard.photo))
            try photo.prefix(photo.count / 3).write(to: folder.appending(path: "cut.jpg"))
            return TestLibrary(
                folder: folder, mapArchive: standard.mapArchive, photo: standard.photo,
                photoWidthPx: standard.photoWidthPx, photoHeightPx: standard.photoHeightPx,
                translucent: standard.translucent)
        }

        private static func targets(_ library: TestLibrary) -> [String] {
            let photo = "/asset?id=\(library.photo)"
            return [
                "\(photo)&width=200", "\(photo)&width=90&format=webp&quality=auto", "\(photo)&width=90&format=avif",
                "\(photo)&width=90&format=png&filter=blur:2&rotate=17", "\(photo)&width=120&profile=p3",
                "\(photo)&width=120&height=120&fit=cover&gravity=attention&format=jpeg&bytes=3000",
                "\(photo)&width=300&overlay=\(library.translucent):center:0:0:50p:0.5",
                "\(photo)&width=300&overlay=drawing.svg&text=One%7Csize:40&overlay=\(library.translucent)%7Crotate:30%7Ctile:9&text=two",
                "\(photo)&width=900&height=600&text=Long%20letters%20over%20more%20than%20one%20message%7Csize:90%7Crotate:20",
                "/asset?id=\(library.translucent)&width=77&format=tiff", "/asset?id=drawing.svg&width=240&format=png",
                "/assets/\(library.photo)", "/assets/drawing.svg/pages", "/asset?id=cut.jpg&width=300",
                "/asset?id=\(library.photo)&width=99999",
                "/avatar?ids=\(library.photo),\(library.translucent),drawing.svg,cut.jpg&names=A,B,C,D&size=96&format=png",
                "/map?marker=icon:drawing.svg%7C43.77,11.26&center=43.77,11.26&width=96&height=96&zoom=3&format=png",
            ]
        }

        @Test func answersAreTheSame_whereverImagesAreMade() throws {
            let library = try Self.library()
            defer { try? FileManager.default.removeItem(at: library.folder) }
            let servers = try ["off", "all", "untrusted"].map {
                try ReleaseServer(["--isolation", $0, "--formats", "svg", "--workers", "2"], library: library)
            }
            for target in Self.targets(library) {
                let replies = try servers.map { try $0.get(target) }
                for reply in replies.dropFirst() {
                    #expect(reply.status == replies[0].status, "\(target)")
                    // Problems name their request.
                    if reply.status == 200 { #expect(reply.content == replies[0].content, "\(target)") }
                }
            }
            #expect(try servers[0].metric("veduta_decode_jobs_total") == 0)
            #expect(try servers[1].metric("veduta_decode_jobs_total") >= Double(Self.targets(library).count - 1))
            #expect(try servers[2].metric("veduta_decode_jobs_total") < servers[1].metric("veduta_decode_jobs_total"))
            for server in servers {
                #expect(try server.metric("veduta_decode_crashes_total") == 0)
                #expect(server.stop() == 0)
            }
        }

        @Test func untrustedMeansDrawingsAndWhatIsNotOfTheLibrary() throws {
            let library = try Self.library()
            defer { try? FileManager.default.removeItem(at: library.folder) }
            let server = try ReleaseServer(["--isolation", "untrusted", "--formats", "svg"], library: library)
            _ = try server.get("/asset?id=\(library.photo)&width=50")
            #expect(try server.metric("veduta_decode_jobs_total") == 0)
            #expect(try server.get("/asset?id=drawing.svg&width=50").status == 200)
            #expect(try server.metric("veduta_decode_jobs_total") > 0)
            // As the pictures of avatars are.
            let before = try server.metric("veduta_decode_jobs_total")
            #expect(try server.get("/avatar?ids=\(library.photo)&size=64").status == 200)
            #expect(try server.metric("veduta_decode_jobs_total") == before)
            #expect(try server.get("/avatar?ids=drawing.svg&size=64").status == 200)
            #expect(try server.metric("veduta_decode_jobs_total") > before)
            #expect(server.stop() == 0)
        }

        /// #17.1: a picture of a group is decoded apart, like any other.
        @Test func picturesOfAvatars_areDecodedApart() throws {
            let library = try Self.library()
            defer { try? FileManager.default.removeItem(at: library.folder) }
            let server = try ReleaseServer(["--isolation", "all", "--workers", "2"], library: library)
            let before = try server.metric("veduta_decode_jobs_total")
            let group = "/avatar?ids=\(library.photo),\(library.translucent)&size=64"
            #expect(try server.get(group).status == 200)
            // For each its price, and its pixels.
            #expect(try server.metric("veduta_decode_jobs_total") == before + 4)
            #expect(try server.get(group).status == 200)
            let after = try server.metric("veduta_decode_jobs_total")
            #expect(try server.get("/avatar?names=Anna,Bo&size=64").status == 200)
            #expect(try server.metric("veduta_decode_jobs_total") == after)
            #expect(server.stop() == 0)
        }

        /// The second time it is decoded from what is kept, whose header is the server's own.
        @Test(.enabled(if: SharedData.isPresent, "no photograph that is large enough"))
        func priceOfAMaster_takesNoProcess() throws {
            let library = try Self.library()
            let cache = FileManager.default.temporaryDirectory.appending(path: "veduta-masters-\(UUID().uuidString)")
            defer {
                try? FileManager.default.removeItem(at: library.folder)
                try? FileManager.default.removeItem(at: cache)
            }
            let server = try ReleaseServer(
                ["--isolation", "all", "--workers", "2", "--cache-dir", cache.path], library: library)
            let avatar = "/avatar?ids=\(library.photo)&size="
            #expect(try server.get(avatar + "64").status == 200)
            let before = try server.metric("veduta_decode_jobs_total")
            #expect(try server.get(avatar + "72").status == 200)
            #expect(try server.metric("veduta_decode_jobs_total") == before + 1)
            // Where the subject of a square crop is, the process is told; that of another one it looks for.
            for (height, looks) in [(48, false), (20, true), (20, false)] {
                let crop = "width=48&height=\(height)&fit=cover&gravity=attention&format=png&explain=1"
                let told = try server.get("/asset?id=\(library.photo)&\(crop)")
                #expect(told.status == 200 && told.text.contains("look for attention") == looks)
            }
            #expect(server.stop() == 0)
        }

        /// #17: at most 15 MB of its own; the rest of these it shares with the server. To start and to write every format
        /// takes some 60 MB, most of it code.
        @Test func anIdleProcess_hasLittleMemory_beforeItsFirstImageAndAfterItsLast() throws {
            let library = try Self.library()
            defer { try? FileManager.default.removeItem(at: library.folder) }
            let server = try ReleaseServer(["--isolation", "all", "--workers", "2"], library: library)
            func isSmall() -> Bool {
                let sizes = server.children.map { Child.residentByteCount(of: $0) }
                return !sizes.isEmpty && sizes.allSatisfy { (1...(24 << 20)).contains($0) }
            }
            #expect(eventually(isSmall))
            for format in ["jpeg", "png", "webp", "avif"] {
                #expect(try server.get("/asset?id=\(library.photo)&width=90&format=\(format)").status == 200)
            }
            #expect(eventually(isSmall))
            #expect(try server.metric("veduta_decode_crashes_total") == 0)
            #expect(server.stop() == 0)
        }

        /// Whoever kills the processes from outside delays images, and harms none.
        @Test func killedProcesses_harmNoAnswer() throws {
            let library = try Self.library()
            defer { try? FileManager.default.removeItem(at: library.folder) }
            let server = try ReleaseServer(["--isolation", "all", "--workers", "2"], library: library)
            let widths = 20..<40
            for width in widths {
                let process = try #require(server.children.first)
                kill(process, SIGKILL)
                #expect(try server.get("/asset?id=\(library.photo)&width=\(width)").status == 200)
                // One that no job meets is reaped when the idle ones are looked at.
                #expect(eventually { !server.children.contains(process) })
            }
            #expect(eventually { (try? server.metric("veduta_decode_starts_total")) ?? 0 > Double(widths.count) })
            #expect(server.stop() == 0)
        }
    }
}
