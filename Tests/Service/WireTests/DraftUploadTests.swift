import Digest
import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Uploads by the IETF draft *Resumable Uploads for HTTP*, with requests as URLSession of Apple's systems sends them.
@Suite(.timeLimit(.minutes(5))) struct DraftUploadTests: ResumableUploadSuite {
    /// `Upload-Complete`, or what version 3 has in its place.
    private static func complete(_ isComplete: Bool, _ version: Int) -> String {
        version == 3 ? "Upload-Incomplete: ?\(isComplete ? 0 : 1)" : "Upload-Complete: ?\(isComplete ? 1 : 0)"
    }

    private func says(_ response: WireResponse, complete isComplete: Bool, _ version: Int) -> Bool {
        let parts = Self.complete(isComplete, version).components(separatedBy: ": ")
        return response.field(parts[0]) == parts[1]
    }

    /// The final answer; what comes before it must be 104.
    private func final(_ client: WireClient) throws -> WireResponse {
        while true {
            let response = try client.read()
            guard response.code < 200 else { return response }
            #expect(response.code == 104)
        }
    }

    private func head(_ line: String, _ count: Int, _ version: Int, _ fields: String...) -> String {
        ([
            "\(line) HTTP/1.1", "Host: a", "Accept: */*", "Content-Type: image/png", "Content-Length: \(count)",
            "Upload-Draft-Interop-Version: \(version)", Self.bearer,
        ] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// As URLSession does it: the place comes while the content is under way, the connection breaks, HEAD tells how much is there,
    /// and PATCH sends the rest, whose answer is that of an upload in one piece.
    @Test(arguments: 3...6) func brokenUpload_goesOnWhereItStopped(_ version: Int) throws {
        try withService { service, _ in
            let picture = Self.picture(600_000)
            let path: String
            do {
                let client = try WireClient(service.address)
                client.send(head("POST /assets", picture.count, version, Self.complete(true, version)))
                let interim = try client.read()
                #expect(interim.code == 104, "\(interim.head)")
                #expect(interim.field("Upload-Draft-Interop-Version") == "\(version)")
                path = try #require(interim.field("Location"))
                client.send(Array(picture[..<400_000]))
                client.endSending()
            }
            let client = try WireClient(service.address)
            let fields = (Self.bearer, "Upload-Draft-Interop-Version: \(version)")
            // The server may not have noticed yet.
            var offset = 0
            var isTold = true
            let isThere = eventually {
                guard let look = try? client.get(path, method: "HEAD", fields.0, fields.1) else { return false }
                isTold =
                    isTold && look.code == 204 && look.field("Cache-Control") == "no-store"
                    && says(look, complete: false, version)
                offset = look.field("Upload-Offset").flatMap { Int($0) } ?? 0
                return offset == 400_000
            }
            #expect(isThere && isTold)
            let wrong = client.patch(path, [1, 2, 3], version, offset: 7, Self.complete(true, version))
            #expect(try wrong.read().code == 409)
            let type = version == 6 ? "Content-Type: application/partial-upload" : "X-None: 0"
            func sendRest() throws -> WireResponse {
                // An answer before the content is read ends its connection.
                let client = try WireClient(service.address)
                client.upload(
                    path, Array(picture[offset...]), method: "PATCH", fields.0, fields.1, type,
                    "Upload-Offset: \(offset)", Self.complete(true, version))
                return try final(client)
            }
            // Nor need it have let go of the upload.
            var last = try sendRest()
            while last.code == 423 { last = try sendRest() }
            #expect(last.code == 201, "\(last.head)")
            let id = "~" + SHA256.digest(of: picture).base64URL()
            #expect(last.field("Location") == "/assets/" + id && says(last, complete: true, version))
            #expect(String(decoding: last.content, as: UTF8.self).contains("\"id\":\"\(id)\""))
            let done = try client.get(path, method: "HEAD", fields.0, fields.1)
            #expect(done.code == 204 && says(done, complete: true, version))
            #expect(done.field("Upload-Offset") == "600000" && done.field("Veduta-Asset") == id)
            #expect(try client.get("/assets/\(id)/original").content == picture)
        }
    }

    @Test(arguments: 3...6) func uploadInPieces_ofUnknownLength_becomesAnAsset(_ version: Int) throws {
        try withService { _, client in
            let picture = Self.picture()
            client.send(head("POST /assets", 0, version, Self.complete(false, version)))
            let begun = try final(client)
            #expect(begun.code == 201 && begun.field("Upload-Offset") == "0" && says(begun, complete: false, version))
            if version == 6 { #expect(begun.field("Upload-Limit")?.hasPrefix("max-size=4000000, expires=") == true) }
            let path = try #require(begun.field("Location"))
            for (start, end) in [(0, 30_000), (30_000, 70_000)] {
                let grown = try client.patch(
                    path, Array(picture[start..<end]), version, offset: start, Self.complete(false, version)
                ).read()
                #expect(grown.code == (version == 6 ? 204 : 201), "\(grown.head)")
                #expect(grown.field("Upload-Offset") == "\(end)" && says(grown, complete: false, version))
            }
            let last = try client.patch(
                path, Array(picture[70_000...]), version, offset: 70_000, Self.complete(true, version)
            ).read()
            #expect(last.code == 201 && says(last, complete: true, version))
            let original = try client.get("/assets/~\(SHA256.digest(of: picture).base64URL())/original")
            #expect(original.content == picture)
        }
    }

    @Test func uploadInOneRequest_isAnsweredLikeAnyOther() throws {
        try withService { _, client in
            let picture = Self.picture()
            client.send(head("POST /assets", picture.count, 6, "Upload-Complete: ?1"))
            client.send(picture)
            let drafted = try final(client)
            #expect(drafted.code == 201 && drafted.field("Upload-Complete") == "?1")
            client.upload("/assets", picture, Self.bearer)
            let plain = try client.read()
            #expect(plain.code == 200 && plain.content == drafted.content)
            #expect(plain.field("ETag") == drafted.field("ETag"))
        }
    }

    @Test func namedUpload_keepsItsNameAndItsConditions() throws {
        try withService { _, client in
            let picture = Self.picture()
            client.send(head("PUT /assets/marks/a.png", 10, 6, "Upload-Complete: ?0", "If-None-Match: *"))
            client.send(Array(picture[..<10]))
            let begun = try final(client)
            #expect(begun.code == 201, "\(begun.head)")
            let path = try #require(begun.field("Location"))
            let last = try client.patch(path, Array(picture[10...]), 6, offset: 10, "Upload-Complete: ?1").read()
            #expect(last.code == 201 && last.field("Location") == "/assets/marks/a.png", "\(last.head)")
            for condition in ["If-None-Match: *", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"] {
                client.send(head("PUT /assets/marks/a.png", picture.count, 6, "Upload-Complete: ?1", condition))
                client.send(picture)
                #expect(try final(client).code == 412, "\(condition)")
            }
        }
    }

    /// Its content is read past: no client was ever told of an upload that has no place to go.
    @Test func uploadUnderANameThatNoAssetCanHave_leavesNothing() throws {
        try withService { service, client in
            client.send(head("PUT /assets/~none", 3, 6, "Upload-Complete: ?0"))
            client.send([1, 2, 3])
            let refused = try client.read()
            #expect(refused.code == 400, "\(refused.head)")
            let uploads = try #require(service.configuration.uploads)
            let left = try FileManager.default.contentsOfDirectory(atPath: uploads + "/resumable")
            #expect(left.isEmpty)
        }
    }

    @Test func cancelledUpload_isGone_andSoIsWhatIsNoImage() throws {
        try withService { _, client in
            client.send(head("POST /uploads", 3, 6, "Upload-Complete: ?0"))
            client.send([1, 2, 3])
            let path = try #require(try final(client).field("Location"))
            let end = try client.get(path, method: "DELETE", Self.bearer, "Upload-Draft-Interop-Version: 6")
            #expect(end.code == 204)
            #expect(try client.get(path, method: "HEAD", Self.bearer, "Upload-Draft-Interop-Version: 6").code == 404)
            client.send(head("POST /assets", 3, 5, "Upload-Complete: ?1"))
            client.send([1, 2, 3])
            #expect(try final(client).code == 415)
        }
    }

    @Test func limitsAndFaults_areTold() throws {
        try withService { _, client in
            let options = try client.get("/assets", method: "OPTIONS")
            #expect(options.field("Accept-Patch") == "application/partial-upload")
            #expect(options.field("Upload-Limit") == "max-size=4000000")
            client.send(head("POST /assets", 4_000_001, 6, "Upload-Complete: ?1", "Expect: 100-continue"))
            #expect(try client.read().code == 413)
        }
        try withService { _, client in
            client.send(head("POST /uploads", 0, 6))
            #expect(try final(client).code == 400)
            client.send(head("POST /assets", 0, 6, "Upload-Complete: ?0"))
            let path = try #require(try final(client).field("Location"))
            client.upload(
                path, [1], method: "PATCH", Self.bearer, "Upload-Draft-Interop-Version: 6", "Upload-Offset: 0",
                "Upload-Complete: ?0", "Content-Type: image/png")
            #expect(try client.read().code == 415)
        }
    }

    /// A version that nobody knows, and a client without the token, get what they would get without the fields.
    @Test func otherVersions_areNoneOfTheDraft() throws {
        try withService { _, client in
            let picture = Self.picture()
            client.send(head("POST /assets", picture.count, 7, "Upload-Complete: ?1"))
            client.send(picture)
            let plain = try client.read()
            #expect(plain.code == 201 && plain.field("Upload-Complete") == nil)
            client.upload("/assets", picture, "Upload-Draft-Interop-Version: 6", "Upload-Complete: ?1")
            #expect(try client.read().code == 401)
        }
    }
}

extension WireClient {
    /// Sends a piece as the drafts want it.
    fileprivate func patch(
        _ path: String, _ bytes: [UInt8], _ version: Int, offset: Int, _ complete: String
    ) -> WireClient {
        upload(
            path, bytes, method: "PATCH", DraftUploadTests.bearer, "Upload-Draft-Interop-Version: \(version)",
            version == 6 ? "Content-Type: application/partial-upload" : "X-None: 0", "Upload-Offset: \(offset)",
            complete)
        return self
    }
}
