import Foundation
import ImagePlan
import ServiceConfiguration
import TestSupport
import Testing

import VedutaService

/// `GET /assets` and `GET /assets/{id}/original` over the wire.
@Suite(.timeLimit(.minutes(5))) struct OriginalTests {
    @Test func originalOfAFile_isItsBytes_withRangesAndPreconditions() throws {
        let it = try UploadingService()
        let bytes = try Array(Data(contentsOf: URL(filePath: it.pictures.path + "/a.png")))
        let whole = try it.client.get("/assets/a.png/original")
        #expect(whole.code == 200 && whole.content == bytes)
        #expect(whole.field("Content-Type") == "image/png")
        #expect(whole.field("Content-Security-Policy") == "sandbox")
        #expect(whole.field("X-Content-Type-Options") == "nosniff")
        #expect(whole.field("Content-Disposition") == "attachment; filename=\"a.png\"")
        let tag = try #require(whole.field("ETag"))
        let part = try it.client.get("/assets/a.png/original", "Range: bytes=10-19", "If-Range: \(tag)")
        #expect(part.code == 206 && part.content == Array(bytes[10...19]))
        #expect(part.field("Content-Range") == "bytes 10-19/\(bytes.count)")
        let beyond = try it.client.get("/assets/a.png/original", "Range: bytes=\(bytes.count)-")
        #expect(beyond.code == 416)
        let known = try it.client.get("/assets/a.png/original", "If-None-Match: \(tag)")
        #expect(known.code == 304 && known.content.isEmpty && known.field("ETag") == tag)
        #expect(try it.client.get("/assets/a.png/original", "If-Match: \"x\"").code == 412)
        let head = try it.client.get("/assets/a.png/original", method: "HEAD")
        #expect(head.code == 200 && head.field("Content-Length") == "\(bytes.count)")
        #expect(head.stableHead == whole.stableHead)
    }

    @Test func tagOfAnUpload_isItsDigest_andItNeverChanges() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(33, 22)
        let stored = try it.send("POST", "/assets", picture)
        let id = try #require(try stored.json()["id"] as? String)
        let original = try it.client.get("/assets/\(id)/original")
        #expect(original.content == picture)
        #expect(original.field("ETag") == "\"\(id.dropFirst())\"")
        #expect(original.field("Cache-Control") == "max-age=31536000, immutable")
        #expect(original.field("Content-Disposition") == "attachment; filename=\"\(id.dropFirst()).png\"")
    }

    @Test func whatIsNoPicture_isNotGuessedAt() throws {
        let it = try UploadingService()
        try it.pictures.add("page.jpg", Array("<script>alert(1)</script>".utf8))
        let answer = try it.client.get("/assets/page.jpg/original")
        #expect(answer.code == 200 && answer.field("Content-Type") == "application/octet-stream")
        #expect(answer.field("Content-Security-Policy") == "sandbox")
    }

    @Test func names_mayEndLikeTheResource() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(12, 8)
        let made = try it.send("PUT", "/assets/x%2Foriginal", picture)
        #expect(made.code == 201 && made.field("Location") == "/assets/x%2Foriginal")
        #expect(try it.client.get("/assets/x%2Foriginal").json()["width"] as? Int == 12)
        #expect(try it.client.get("/assets/x%2Foriginal/original").content == picture)
        #expect(try it.client.get("/assets/x/original").code == 404)
        #expect(try it.client.get("/assets/original").code == 404)
        #expect(try it.client.get("/assets/absent.png/original").problem == "asset-not-found")
        #expect(try it.client.get("/assets/..%2Fa.png/original").problem == "invalid-parameters")
        #expect(try it.client.get("/assets/a.png/original?x=1").problem == "invalid-parameters")
        #expect(try it.client.get("/assets/a.png/original", method: "DELETE").code == 405)
    }

    private func pages(_ it: UploadingService, limit: Int) throws -> [String] {
        var ids: [String] = []
        var target: String? = "/assets?limit=\(limit)"
        while let next = target {
            let answer = try it.client.get(next)
            #expect(answer.code == 200 && answer.field("Content-Type") == "application/json")
            let page = try answer.json()
            let items = try #require(page["items"] as? [[String: Any]])
            #expect(items.count <= limit)
            ids += items.compactMap { $0["id"] as? String }
            target = page["next"] as? String
        }
        return ids
    }

    @Test func list_hasUploadsAndFiles_onceEach() throws {
        let it = try UploadingService()
        try it.pictures.add("dir/à +&.png", PictureFolder.picture(12, 8))
        let stored = try it.send("POST", "/assets", PictureFolder.picture(12, 8))
        let id = try #require(try stored.json()["id"] as? String)
        #expect(try it.send("PUT", "/assets/dir/m.png", PictureFolder.picture(12, 9)).code == 201)
        let expected = ["a.png", "b.png", "dir/m.png", "dir/à +&.png", id]
        for limit in [1, 2, 3, 100] { #expect(try pages(it, limit: limit) == expected) }
        let items = try #require(try it.client.get("/assets").json()["items"] as? [[String: Any]])
        #expect(items.compactMap { $0["origin"] as? String } == ["folder", "folder", "name", "folder", "upload"])
        #expect(items.compactMap { $0["mediaType"] as? String } == Array(repeating: "image/png", count: 5))
        let modified = items.last?["modified"] as? String ?? ""
        #expect(modified.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        for query in ["limit=0", "limit=1001", "limit=x", "before=a"] {
            #expect(try it.client.get("/assets?" + query).problem == "invalid-parameters")
        }
        #expect(try it.client.get("/assets", method: "HEAD").code == 200)
    }

    @Test func list_hasFilesOfEnabledFormats_andOfNoOthers() throws {
        let drawing = Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)
        let files = ["c.svg", "d.SVGZ", "e.pdf", "f.bmp", "g.txt"]
        let all = try UploadingService { $0.formats = [.svg, .pdf] }
        for name in files { try all.pictures.add(name, drawing) }
        #expect(try pages(all, limit: 2) == ["a.png", "b.png", "c.svg", "d.SVGZ", "e.pdf"])
        let usual = try UploadingService()
        for name in files { try usual.pictures.add(name, drawing) }
        #expect(try pages(usual, limit: 10) == ["a.png", "b.png"])
    }

    @Test func uploadUnderAName_comesBeforeAFileOfThatName() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(12, 8)
        #expect(try it.send("PUT", "/assets/new.png", picture).code == 201)
        try it.pictures.add("new.png", PictureFolder.picture(99, 9))
        #expect(try it.client.get("/assets/new.png/original").content == picture)
        #expect(try it.client.get("/assets/new.png").json()["width"] as? Int == 12)
        #expect(try pages(it, limit: 10) == ["a.png", "b.png", "new.png"])
        #expect(try it.delete("/assets/new.png").code == 204)
        #expect(try it.client.get("/assets/new.png").json()["width"] as? Int == 99)
    }
}
