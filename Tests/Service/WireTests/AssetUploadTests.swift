import Foundation
import ServiceConfiguration
import Testing
import TestSupport

import VedutaService

/// `POST /assets`, `PUT` and `DELETE /assets/{id}` over the wire.
@Suite(.timeLimit(.minutes(5))) struct AssetUploadTests {
    @Test func samePictureTwice_isStoredOnce_andServedAsAnyOther() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(123, 45)
        let first = try it.send("POST", "/assets", picture, "Content-Type: text/plain")
        #expect(first.code == 201)
        let record = try first.json()
        let id = try #require(record["id"] as? String)
        #expect(id.hasPrefix("~") && id.utf8.count == 44)
        #expect(record["mediaType"] as? String == "image/png" && record["bytes"] as? Int == picture.count)
        #expect(first.field("Location") == "/assets/" + id)
        #expect(first.field("ETag") == "\"\(id.dropFirst())\"")
        let second = try it.send("POST", "/assets", picture)
        #expect(second.code == 200 && second.field("Location") == nil && second.content == first.content)

        let small = try it.client.get("/asset?id=\(id)&width=40&format=webp")
        #expect(small.code == 200 && small.field("Content-Type") == "image/webp")
        #expect(small.field("Cache-Control")?.contains("immutable") == true)
        let told = try it.client.get("/assets/" + id).json()
        #expect(told["width"] as? Int == 123 && told["id"] as? String == id)
        #expect(it.received.isEmpty)
    }

    @Test func contentThatIsTooMuchForMemory_isStoredWholeToo() throws {
        let it = try UploadingService()
        var noise = UInt32(7)
        let pixels = (0..<300 * 200 * 4).map { _ -> UInt8 in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: noise >> 24)
        }
        let picture = try PictureFolder.encoded(pixels, 300, 200)
        #expect(picture.count > 100_000)
        let stored = try it.send("POST", "/assets", picture)
        #expect(stored.code == 201)
        let original = try it.client.get(try #require(stored.field("Location")) + "/original")
        #expect(original.content == picture)
        #expect(it.received.isEmpty)
    }

    @Test func form_bringsItsFirstFile_andTheFilesName() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(30, 20)
        func part(_ head: String) -> [UInt8] { Array("--X\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) }
        let form =
            part("name=\"note\"") + Array("hello\r\n".utf8) + part("name=\"file\"; filename=\"my cat.png\"") + picture
            + Array("\r\n".utf8) + part("name=\"second\"; filename=\"b.png\"") + Array("other\r\n--X--\r\n".utf8)
        let stored = try it.send("POST", "/assets", form, "Content-Type: multipart/form-data; boundary=X")
        #expect(stored.code == 201, "\(stored.text)")
        let record = try stored.json()
        #expect(record["fileName"] as? String == "my cat.png" && record["bytes"] as? Int == picture.count)
        let location = try #require(stored.field("Location"))
        let original = try it.client.get(location + "/original")
        #expect(original.content == picture)
        #expect(original.field("Content-Disposition") == "attachment; filename=\"my cat.png\"")

        let cut = Array(form.dropLast(30))
        let answer = try it.send("POST", "/assets", cut, "Content-Type: multipart/form-data; boundary=X")
        #expect(answer.code == 400 && answer.problem == "form-without-file")
        let noFile = part("name=\"note\"") + Array("hello\r\n--X--\r\n".utf8)
        #expect(try it.send("POST", "/assets", noFile, "Content-Type: multipart/form-data; boundary=X").code == 400)
        #expect(try it.send("POST", "/assets", form, "Content-Type: multipart/form-data").code == 400)
        #expect(it.received.isEmpty)
    }

    @Test func whatCannotBeStored_isRefusedByItsReason() throws {
        let it = try UploadingService { configuration in
            configuration.uploadLimit = 2000
            configuration.uploadCount = 1
        }
        let picture = try PictureFolder.picture(20, 10)
        #expect(picture.count < 2000)
        var answer = try it.send("POST", "/assets", Array("<html>".utf8), "Content-Type: image/png")
        #expect(answer.code == 415 && answer.problem == "source-unsupported")
        answer = try it.send("POST", "/assets", [])
        #expect(answer.code == 415)
        answer = try it.send("POST", "/assets?x=1", picture)
        #expect(answer.code == 400 && answer.problem == "invalid-parameters")
        answer = try it.send("POST", "/assets", picture, "Content-Encoding: gzip")
        #expect(answer.code == 415 && answer.problem == "unsupported-media-type")
        it.client.request("/assets", method: "POST", UploadingService.bearer)
        #expect(try it.client.read().code == 411)
        answer = try it.send("POST", "/assets", [UInt8](repeating: 0, count: 2001))
        #expect(answer.code == 413 && answer.problem == "content-too-large")
        let other = try UploadingService { $0.uploadCount = 1 }
        #expect(try other.send("POST", "/assets", picture).code == 201)
        answer = try other.send("PUT", "/assets/other.png", picture)
        #expect(answer.code == 507 && answer.problem == "library-full")
        answer = try other.send("POST", "/assets", try PictureFolder.picture(21, 10))
        #expect(answer.code == 507 && answer.problem == "library-full")
        #expect(other.received.isEmpty)
    }

    @Test func withoutTheToken_nothingIsTaken() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(20, 10)
        for (method, target) in [("POST", "/assets"), ("PUT", "/assets/x.png"), ("DELETE", "/assets/x.png")] {
            it.client.upload(target, picture, method: method)
            let answer = try it.client.read()
            #expect(answer.code == 401 && answer.field("WWW-Authenticate") == "Bearer realm=\"veduta\"")
        }
        // What would be too much to read past is not waited for.
        let impatient = try WireClient(it.service.address)
        impatient.send("POST /assets HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try impatient.read().code == 401)

        let off = try UploadingService { $0.token = nil }
        #expect(try off.send("POST", "/assets", picture).problem == "writes-off")
        let without = try UploadingService { $0.uploads = nil }
        let answer = try without.send("POST", "/assets", picture)
        #expect(answer.code == 403 && answer.problem == "uploads-off")
    }

    @Test func put_makesReplacesAndKeepsItsPreconditions() throws {
        let it = try UploadingService()
        let (red, blue) = (try PictureFolder.picture(50, 40), try PictureFolder.picture(60, 40))
        let made = try it.send("PUT", "/assets/al%20bum/cat.png", red, "If-None-Match: *")
        #expect(made.code == 201 && made.field("Location") == "/assets/al%20bum/cat.png")
        let refused = try it.send("PUT", "/assets/al%20bum/cat.png", blue, "If-None-Match: *")
        #expect(refused.code == 412 && refused.text.contains("`If-None-Match`"), "\(refused.text)")
        let tag = try #require(made.field("ETag"))
        #expect(try it.client.get("/assets/al%20bum/cat.png/original").field("ETag") == tag)
        #expect(try it.send("PUT", "/assets/al%20bum/cat.png", blue, "If-Match: \"other\"").code == 412)
        #expect(try it.send("PUT", "/assets/absent.png", blue, "If-Match: *").code == 412)

        let target = "/asset?id=al%20bum/cat.png&format=png"
        #expect(try it.client.get(target).field("Cache-Status")?.contains("miss") == true)
        #expect(try it.client.get(target).field("Cache-Status")?.contains("hit") == true)
        let replaced = try it.send("PUT", "/assets/al%20bum/cat.png", blue, "If-Match: \(tag)")
        #expect(replaced.code == 200 && replaced.field("ETag") != tag)
        // At once, though sources are looked at once a second.
        #expect(try DecodedPicture(it.client.get(target).content).widthPx == 60)
        #expect(try it.send("PUT", "/assets/al%20bum/cat.png", blue).code == 200)
        #expect(try it.send("PUT", "/assets/x.png", red, "Content-Range: bytes 0-9/99").problem == "partial-put")
        #expect(try it.send("PUT", "/assets/al%20bum", red).problem == "name-taken")
        #expect(try it.send("PUT", "/assets/..%2Fx.png", red).problem == "invalid-parameters")
        #expect(try it.send("PUT", "/assets/a.png", red).problem == "asset-read-only")
        #expect(try it.delete("/assets/a.png").problem == "asset-read-only")
    }

    /// #15.15: what the library has under such a name, or what was uploaded, could not be reached any more.
    @Test(arguments: [
        ("a.png", "asset-read-only"), ("album", "name-taken"), ("album/2026", "name-taken"),
        ("a.png/x.png", "name-taken"),
        ("album/c.png/x/y.png", "name-taken"), (".kept", "name-taken"), ("link.png/x.png", "name-taken"),
    ])
    func namesOfTheLibrary_areNotForUploads(_ id: String, _ problem: String) throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(30, 20)
        try it.pictures.add("album/c.png", picture)
        try it.pictures.add("album/2026/d.png", picture)
        try it.pictures.add(".kept/e.png", picture)
        it.pictures.link("link.png", to: "album/c.png")
        let refused = try it.send("PUT", "/assets/\(id)", picture)
        #expect(refused.code == 409 && refused.problem == problem, "\(refused.text)")
        #expect(try it.send("PUT", "/assets/album/f.png", picture).code == 201)
        #expect(try it.client.get("/asset?id=album/c.png&width=10").code == 200)
        // There is no such asset to remove.
        #expect(try it.delete("/assets/album").code == 404)
    }

    @Test func delete_takesTheAssetAndItsPictures() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(50, 40)
        let stored = try it.send("POST", "/assets", picture)
        let id = try #require(try stored.json()["id"] as? String)
        let target = "/asset?id=\(id)&width=20&format=png"
        #expect(try it.client.get("/asset?id=~\(String(repeating: "A", count: 43))").code == 404)
        #expect(try it.client.get(target).code == 200)
        #expect(try it.delete("/assets/\(id)", "If-Match: \"x\"").code == 412)
        let gone = try it.delete("/assets/\(id)")
        #expect(gone.code == 204 && gone.content.isEmpty)
        #expect(try it.client.get(target).code == 404)
        #expect(try it.client.get("/assets/\(id)").code == 404)
        #expect(try it.client.get("/assets/\(id)/original").code == 404)
        #expect(try it.delete("/assets/\(id)").code == 404)
        // The failures above are not remembered once it is there again.
        #expect(try it.send("POST", "/assets", picture).code == 201)
        #expect(try it.client.get(target).code == 200)
    }

    @Test func uploads_areThereAfterARestart_andForOneServerAtATime() throws {
        let it = try UploadingService()
        let id = try #require(try it.send("POST", "/assets", PictureFolder.picture(50, 40)).json()["id"] as? String)
        let uploads = it.uploads
        #expect { try RunningService { $0.uploads = uploads } } throws: {
            "\($0)".contains("another process is using it")
        }
        // It lets go of the folder when nobody holds the service any more; a copy is as good.
        let copy = uploads + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: uploads, toPath: copy)
        let again = try RunningService { $0.uploads = copy }
        #expect(try WireClient(again.address).get("/asset?id=\(id)&width=9").code == 200)
    }

    /// #17: while the folder of uploads was gone, the files of the library were too.
    @Test func withoutTheFolderOfUploads_theLibraryIsServed() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(60, 40)
        try it.pictures.add("shelf.png", picture)
        let id = try #require(try it.send("POST", "/assets", try PictureFolder.picture(50, 40)).json()["id"] as? String)
        try FileManager.default.removeItem(atPath: it.uploads)
        let shown = try it.client.get("/asset?id=shelf.png&width=30")
        #expect(shown.code == 200, "\(shown.text)")
        #expect(try it.client.get("/assets/shelf.png/original").content == picture)
        #expect(try it.client.get("/asset?id=\(id)&width=30").problem == "library-unavailable")
        #expect(try it.client.get("/assets/\(id)/original").problem == "library-unavailable")
        #expect(try it.client.get("/asset?id=nowhere.png&width=30").code == 503)
    }

    @Test func scriptsOfOtherOrigins_areToldWhatTheyMaySend() throws {
        let it = try UploadingService { $0.corsOrigins = .any }
        for (target, methods) in [
            ("/assets", "GET, HEAD, POST, OPTIONS"), ("/assets/x", "GET, HEAD, PUT, DELETE, OPTIONS"),
        ] {
            let answer = try it.client.get(
                target, method: "OPTIONS", "Origin: https://a.example", "Access-Control-Request-Method: PUT")
            #expect(answer.code == 204 && answer.field("Allow") == methods)
            #expect(answer.field("Access-Control-Allow-Methods") == methods)
            let fields = answer.field("Access-Control-Allow-Headers") ?? ""
            for name in ["Authorization", "Content-Type", "If-Match"] { #expect(fields.contains(name)) }
        }
        let stored = try it.send("POST", "/assets", PictureFolder.picture(9, 9), "Origin: https://a.example")
        #expect(stored.field("Access-Control-Allow-Origin") == "*")
        #expect(stored.field("Access-Control-Expose-Headers")?.contains("Location") == true)
    }
}
