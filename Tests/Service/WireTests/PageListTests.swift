import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService
import WrittenDocuments

/// `GET /assets/{id}/pages` over the wire (#15.24).
@Suite(.timeLimit(.minutes(5))) struct PageListTests {
    private func withPages(
        _ adjust: (inout Configuration) -> Void = { _ in }, _ body: (PictureFolder, WireClient) throws -> Void
    ) throws {
        let pictures = try PictureFolder()
        let pages = (1...7).map {
            WrittenTIFF.Page(20 + $0, 30, grey: UInt8(30 * $0), name: $0 == 2 ? "ii & \"more\"" : nil)
        }
        try pictures.add("dir/scan à.tif", WrittenTIFF.bytes(pages))
        try pictures.add(
            "book.pdf",
            WrittenPDF.document([(200, 100, "1 0 0 rg 0 0 99 99 re f"), (100, 300, "0 0 1 rg 0 0 99 99 re f")]))
        let (_, _, client) = try RunningService.withPictures(in: pictures, adjust)
        try body(pictures, client)
    }

    private func list(_ response: WireResponse) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(response.content)) as? [[String: Any]])
    }

    private static let scan = "/assets/dir/scan%20%C3%A0.tif/pages"

    @Test func pages_areListedAsTheDocumentHasThem() throws {
        try withPages { _, client in
            let answer = try client.get("/assets/book.pdf/pages")
            #expect(answer.code == 200 && answer.field("Content-Type") == "application/json")
            #expect(answer.field("Link") == nil)
            let pages = try list(answer)
            #expect(pages.map { $0["page"] as? Int } == [1, 2])
            #expect(
                pages.map { $0["width"] as? Int } == [200, 100] && pages.map { $0["height"] as? Int } == [100, 300])
            #expect(pages.map { ($0["points"] as? [String: Int])?["height"] } == [100, 300])
            #expect(pages.allSatisfy { $0.keys.sorted() == ["height", "page", "points", "thumbHash", "width"] })
            let described = try client.get("/assets/book.pdf").json()
            #expect(described["thumbHash"] as? String == pages[0]["thumbHash"] as? String)
            #expect(described["pages"] as? Int == 2)
            // The numbers are those that `page` takes, the sizes those that come out.
            for page in pages {
                let picture = try client.get("/asset?id=book.pdf&format=png&page=\(page["page"] as? Int ?? 0)")
                #expect(try DecodedPicture(picture.content).widthPx == page["width"] as? Int)
            }
            let photo = try list(client.get("/assets/a.png/pages"))
            #expect(photo.count == 1 && photo[0]["points"] == nil && photo[0]["width"] as? Int == 400)
            let names = try list(client.get(Self.scan)).map { $0["label"] as? String }
            #expect(names == [nil, "ii & \"more\"", nil, nil, nil, nil, nil])
        }
    }

    @Test func pagesOfAPDF_haveTheLabelsOfTheDocument() throws {
        try withPages { pictures, client in
            let labels = "/PageLabels << /Nums [0 << /S /r /St 3 >> 2 << /P (A-) /S /D >>] >>"
            try pictures.add(
                "labels.pdf", WrittenPDF.document(Array(repeating: (20, 10, "0 0 9 9 re f"), count: 4), labels: labels))
            let answer = try client.get("/assets/labels.pdf/pages")
            #expect(try list(answer).map { $0["label"] as? String } == ["iii", "iv", "A-1", "A-2"])
            #expect(try list(client.get("/assets/labels.pdf/pages?after=3")).map { $0["label"] as? String } == ["A-2"])
        }
    }

    @Test func linksLeadThroughAllPages() throws {
        try withPages { _, client in
            let all = try client.get(Self.scan)
            #expect(try list(all).count == 7 && all.field("Link") == nil)
            for limit in [1, 3, 7] {
                var (target, numbers): (String?, [Int]) = (Self.scan + "?limit=\(limit)", [])
                while let next = target {
                    let answer = try client.get(next)
                    let pages = try list(answer)
                    #expect(pages.count <= limit && !pages.isEmpty)
                    numbers += pages.compactMap { $0["page"] as? Int }
                    target = answer.field("Link").flatMap {
                        $0.firstMatch(of: /^<([^>]*)>; rel="next"$/).map { String($0.1) }
                    }
                    #expect(target?.hasPrefix(Self.scan + "?after=") ?? true)
                }
                #expect(numbers == Array(1...7))
            }
            #expect(try client.get(Self.scan + "?after=7").text == "[]\n")
        }
    }

    @Test func answers_areKeptAndRevalidated() throws {
        try withPages { pictures, client in
            let first = try client.get(Self.scan)
            #expect(first.cacheStatus == "fwd=uri-miss; stored")
            let again = try client.get(Self.scan + "?limit=100&after=0")
            #expect(again.cacheStatus.hasPrefix("hit") && again.content == first.content)
            let tag = try #require(first.field("ETag"))
            let known = try client.get(Self.scan, "If-None-Match: \(tag)")
            #expect(known.code == 304 && known.content.isEmpty && known.field("ETag") == tag)
            #expect(try client.get(Self.scan, "If-Match: \"x\"").code == 412)
            #expect(try client.get(Self.scan + "?limit=3").field("ETag") != tag)
            #expect(try client.get("/assets/dir/scan%20%C3%A0.tif").field("ETag") != tag)
            let head = try client.get(Self.scan, method: "HEAD")
            #expect(head.code == 200 && head.content.isEmpty && head.stableHead == first.stableHead)
            let options = try client.get(Self.scan, method: "OPTIONS")
            #expect(options.code == 204 && options.field("Allow") == "GET, HEAD, OPTIONS")
            let part = try client.get(Self.scan, "Range: bytes=0-1")
            #expect(part.code == 206 && part.text == "[{")
            let packed = try client.get(Self.scan + "?limit=6", "Accept-Encoding: gzip")
            #expect(packed.field("Vary") == "Accept-Encoding")
            #expect(try client.metric("veduta_renders_total{route=\"asset_pages\"}") == 3)
            // Another file is another list.
            try pictures.add("dir/scan à.tif", WrittenTIFF.bytes([WrittenTIFF.Page(9, 9)]))
            #expect(eventually { (try? client.get(Self.scan).field("ETag")) != tag })
        }
    }

    @Test func whatCannotBeListed_isAProblem() throws {
        try withPages { pictures, client in
            var pages = (1...3).map { _ in WrittenTIFF.Page(20, 30) }
            pages[1].isDamaged = true
            try pictures.add("damaged.tif", WrittenTIFF.bytes(pages))
            try pictures.add("text.png", Array("no picture".utf8))
            func problem(_ target: String) throws -> String? { try client.get(target).problem }
            #expect(try problem("/assets/absent.pdf/pages") == "asset-not-found")
            #expect(try problem("/assets/text.png/pages") == "source-unsupported")
            #expect(try problem("/assets/..%2Fa.png/pages") == "invalid-parameters")
            let damaged = try client.get("/assets/damaged.tif/pages")
            #expect(damaged.code == 422 && damaged.problem == "source-corrupt")
            #expect(damaged.text.contains("Page 2 of the source") && damaged.text.contains("after=2"))
            #expect(try list(client.get("/assets/damaged.tif/pages?after=2")).map { $0["page"] as? Int } == [3])
            for query in ["limit=0", "limit=201", "after=-1", "after=x", "page=1", "limit=1&limit=2"] {
                #expect(try problem("/assets/a.png/pages?" + query) == "invalid-parameters", "\(query)")
            }
            for method in ["POST", "PUT", "DELETE"] {
                #expect(try client.get("/assets/a.png/pages", method: method).code == 405)
            }
        }
    }

    @Test func price_isThatOfPictures() throws {
        try withPages({ $0.memoryLimit = 1000 }) { _, client in
            let refused = try client.get(Self.scan)
            #expect(refused.code == 422 && refused.problem == "result-too-costly")
        }
    }

    @Test func idsMayEndLikeTheResource() throws {
        let it = try UploadingService()
        let picture = try PictureFolder.picture(12, 8)
        #expect(try it.send("PUT", "/assets/x%2Fpages", picture).code == 201)
        #expect(try it.client.get("/assets/x%2Fpages").json()["width"] as? Int == 12)
        #expect(try list(it.client.get("/assets/x%2Fpages/pages")).count == 1)
        #expect(try it.client.get("/assets/x%2Fpages/original").content == picture)
        #expect(try it.client.get("/assets/x/pages").code == 404)
        #expect(try it.client.get("/assets/pages").code == 404)
    }

    @Test func purgeOfAnAsset_takesItsPages() throws {
        try withPages({ $0.token = AccessToken("secret") }) { _, client in
            _ = try client.get("/assets/book.pdf/pages")
            let purged = try client.get("/cache?id=book.pdf", method: "DELETE", "Authorization: Bearer secret")
            #expect(purged.text == "{\"memory\":1,\"disk\":0}\n")
            #expect(try !client.get("/assets/book.pdf/pages").cacheStatus.hasPrefix("hit"))
        }
    }
}
