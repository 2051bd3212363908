import Digest
import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Uploads that may be resumed, over the wire.
@Suite(.timeLimit(.minutes(5))) struct TusTests: ResumableUploadSuite {
    static let version = "Tus-Resumable: 1.0.0"
    static let type = "Content-Type: application/offset+octet-stream"

    /// Begins an upload and returns its path.
    private func begin(_ client: WireClient, _ length: Int, _ fields: String...) throws -> String {
        client.send(
            (["POST /uploads HTTP/1.1", "Host: a", Self.bearer, Self.version, "Upload-Length: \(length)"] + fields)
                .map { $0 + "\r\n" }.joined() + "\r\n")
        let response = try client.read()
        #expect(response.code == 201, "\(response.head)")
        #expect(response.field("Tus-Resumable") == "1.0.0")
        #expect(response.field("Upload-Expires") != nil)
        return try #require(response.field("Location"))
    }

    private func append(
        _ client: WireClient, _ path: String, at offset: Int, _ bytes: [UInt8], _ fields: String = "X-None: 0"
    ) throws -> WireResponse {
        client.upload(
            path, bytes, method: "PATCH", Self.bearer, Self.version, Self.type, "Upload-Offset: \(offset)", fields)
        return try client.read()
    }

    private func look(_ client: WireClient, _ path: String) throws -> WireResponse {
        try client.get(path, method: "HEAD", Self.bearer, Self.version)
    }

    // MARK: The life of an upload

    @Test func uploadInPieces_becomesAnAsset() throws {
        try withService { _, client in
            let picture = Self.picture()
            let path = try begin(client, picture.count, "Upload-Metadata: filename Y2F0LnBuZw==,note")
            #expect(path.hasPrefix("/uploads/") && path.utf8.count == "/uploads/".utf8.count + 22)
            let begun = try look(client, path)
            #expect(begun.code == 200 && begun.field("Upload-Offset") == "0")
            #expect(begun.field("Upload-Length") == "100000" && begun.field("Cache-Control") == "no-store")
            #expect(begun.field("Upload-Metadata") == "filename Y2F0LnBuZw==,note")
            let first = try append(client, path, at: 0, Array(picture[..<40_000]))
            #expect(first.code == 204 && first.field("Upload-Offset") == "40000")
            #expect(first.field("Veduta-Asset") == nil && first.field("Upload-Expires") != nil)
            let last = try append(client, path, at: 40_000, Array(picture[40_000...]))
            #expect(last.code == 204 && last.field("Upload-Offset") == "100000", "\(last.head)")
            let id = try #require(last.field("Veduta-Asset"))
            #expect(id == "~" + SHA256.digest(of: picture).base64URL())
            #expect(last.field("Content-Location") == "/assets/" + id)
            let done = try look(client, path)
            #expect(done.code == 200 && done.field("Veduta-Asset") == id && done.field("Upload-Offset") == "100000")
            let again = try append(client, path, at: 100_000, [])
            #expect(again.code == 204 && again.field("Veduta-Asset") == id)
            let original = try client.get("/assets/\(id)/original")
            #expect(original.code == 200 && isSame(original.content, picture))
        }
    }

    /// The next request is here as soon as the last one is answered.
    @Test func piecesInAHurry_neverMeetEachOther() throws {
        try withService { _, client in
            let picture = Self.picture(40_000)
            var sha1 = SHA1()
            sha1.update([UInt8](repeating: 7, count: 100).span.bytes)
            let wrong = "Upload-Checksum: sha1 " + Data(sha1.digest()).base64EncodedString()
            let path = try begin(client, picture.count)
            for start in stride(from: 0, to: 40_000, by: 100) {
                let piece = Array(picture[start..<(start + 100)])
                #expect(try append(client, path, at: start, piece, wrong).code == 460)
                var sha256 = SHA256()
                sha256.update(piece)
                let right = "Upload-Checksum: sha256 " + Data(sha256.digest().bytes).base64EncodedString()
                let response = try append(client, path, at: start, piece, start.isMultiple(of: 200) ? "X: y" : right)
                #expect(response.code == 204 && response.field("Upload-Offset") == "\(start + 100)")
            }
        }
    }

    @Test func clientThatBreaksOff_goesOnWhereItStopped() throws {
        try withService { service, client in
            let picture = Self.picture(1_000_000)
            let path = try begin(client, picture.count)
            var broken: WireClient? = try WireClient(service.address)
            broken?.request(
                path, method: "PATCH", Self.bearer, Self.version, Self.type, "Upload-Offset: 0",
                "Content-Length: 1000000")
            broken?.send(Array(picture[..<600_001]))
            broken = nil
            let isKept = try eventually { try look(client, path).field("Upload-Offset") == "600001" }
            #expect(isKept)
            func sendRest() throws -> WireResponse {
                // An answer before the content is read ends its connection.
                try append(WireClient(service.address), path, at: 600_001, Array(picture[600_001...]))
            }
            // The server may not have let go of the upload yet.
            var last = try sendRest()
            while last.code == 423 { last = try sendRest() }
            #expect(last.code == 204 && last.field("Upload-Offset") == "1000000")
            let id = try #require(last.field("Veduta-Asset"))
            #expect(try isSame(client.get("/assets/\(id)/original").content, picture))
        }
    }

    @Test func uploads_outliveTheServer() throws {
        let folder = try PictureFolder()
        let picture = Self.picture()
        func run(_ body: (WireClient) throws -> Void) throws {
            let service = try RunningService { configuration in
                configuration.uploads = folder.path + "/uploads"
                configuration.token = AccessToken("secret")
            }
            try body(try WireClient(service.address))
        }
        var path = ""
        try run { client in
            path = try begin(client, picture.count, "Upload-Metadata: filename Y2F0")
            #expect(try append(client, path, at: 0, Array(picture[..<70_000])).code == 204)
        }
        var id: String?
        try run { client in
            let state = try look(client, path)
            #expect(state.field("Upload-Offset") == "70000" && state.field("Upload-Metadata") == "filename Y2F0")
            id = try append(client, path, at: 70_000, Array(picture[70_000...])).field("Veduta-Asset")
            #expect(id != nil)
        }
        try run { client throws in #expect(try look(client, path).field("Veduta-Asset") == id) }
    }

    @Test func uploadThatEnds_isGone() throws {
        try withService { _, client in
            let path = try begin(client, 10)
            #expect(try client.get(path, method: "DELETE", Self.bearer, Self.version).code == 204)
            for method in ["DELETE", "HEAD"] {
                let response = try client.get(path, method: method, Self.bearer, Self.version)
                #expect(response.code == 404 && response.field("Cache-Control") == "no-store")
            }
            #expect(try append(client, path, at: 0, [1]).code == 404)
            #expect(client.isKept())
        }
    }

    @Test func whatIsNoPicture_isGone() throws {
        try withService { _, client in
            let path = try begin(client, 5)
            let response = try append(client, path, at: 0, Array("hello".utf8))
            #expect(response.code == 415, "\(response.text)")
            #expect(try look(client, path).code == 404)
            let empty = try client.get("/uploads", method: "POST", Self.bearer, Self.version, "Upload-Length: 0")
            #expect(empty.code == 415)
        }
    }

    @Test func uploadThatNothingHappensTo_expires() throws {
        let clock = HandMovedClock()
        try withService(clock: clock.clock, { $0.uploadExpiry = 60 }) { service, client in
            let path = try begin(client, 10)
            clock.advance(by: .seconds(50))
            #expect(try append(client, path, at: 0, [1]).code == 204)
            clock.advance(by: .seconds(50))
            #expect(try look(client, path).code == 200)
            clock.advance(by: .seconds(11))
            #expect(try look(client, path).code == 404)
        }
    }

    // MARK: Creation with content

    @Test func creationWithContent_savesATurn() throws {
        try withService { _, client in
            let picture = Self.picture(200_000)
            for count in [200_000, 150_000] {
                client.upload(
                    "/uploads", Array(picture[..<count]), Self.bearer, Self.version, Self.type, "Upload-Length: 200000")
                let response = try client.read()
                #expect(response.code == 201 && response.field("Upload-Offset") == "\(count)", "\(response.head)")
                #expect((response.field("Veduta-Asset") != nil) == (count == 200_000))
                let path = try #require(response.field("Location"))
                if count < 200_000 {
                    #expect(try append(client, path, at: count, Array(picture[count...])).field("Veduta-Asset") != nil)
                }
            }
            client.upload("/uploads", [1, 2, 3], Self.bearer, Self.version, Self.type, "Upload-Length: 2")
            #expect(try client.read().code == 413)
            client.upload("/uploads", [1, 2, 3], Self.bearer, Self.version, "Upload-Length: 3")
            #expect(try client.read().code == 415)
            client.upload("/uploads", Array("nopicture".utf8), Self.bearer, Self.version, Self.type, "Upload-Length: 9")
            #expect(try client.read().code == 415)
        }
    }

    // MARK: Refusals

    @Test func refusals_haveTheirStatuses_andChangeNothing() throws {
        try withService { _, client in
            let path = try begin(client, 100_000)
            let piece = [UInt8](repeating: 1, count: 10)
            func refused(_ code: Int, _ target: String, _ method: String, _ fields: String..., content: [UInt8]? = nil)
                throws
                -> WireResponse
            {
                let lines = ["\(method) \(target) HTTP/1.1", "Host: a"] + fields
                let length = content.map { ["Content-Length: \($0.count)"] } ?? []
                client.send((lines + length).map { $0 + "\r\n" }.joined() + "\r\n")
                if let content { client.send(content) }
                let response = try client.read(toHead: method == "HEAD")
                #expect(response.code == code, "\(method) \(target) \(fields): \(response.head)")
                #expect(response.field("Tus-Resumable") == "1.0.0")
                return response
            }
            let (bearer, version, type) = (Self.bearer, Self.version, Self.type)
            let conflict = try refused(409, path, "PATCH", bearer, version, type, "Upload-Offset: 5", content: piece)
            #expect(conflict.text.contains("wrong-offset"))
            _ = try refused(
                415, path, "PATCH", bearer, version, "Content-Type: text/plain", "Upload-Offset: 0", content: piece)
            _ = try refused(415, path, "PATCH", bearer, version, "Upload-Offset: 0", content: piece)
            _ = try refused(400, path, "PATCH", bearer, version, type, content: piece)
            for offset in ["-1", "+0", "a", "", "99999999999999999999"] {
                _ = try refused(400, path, "PATCH", bearer, version, type, "Upload-Offset: \(offset)", content: piece)
            }
            let old = try refused(
                412, path, "PATCH", bearer, "Tus-Resumable: 0.2.2", type, "Upload-Offset: 0", content: piece)
            #expect(old.field("Tus-Version") == "1.0.0")
            _ = try refused(412, path, "PATCH", bearer, type, "Upload-Offset: 0", content: piece)
            _ = try refused(412, "/uploads", "POST", bearer, "Upload-Length: 5")
            _ = try refused(401, path, "PATCH", version, type, "Upload-Offset: 0", content: piece)
            _ = try refused(401, path, "HEAD", version)
            _ = try refused(401, path, "DELETE", "Authorization: Bearer wrong", version)
            _ = try refused(401, "/uploads", "POST", version, "Upload-Length: 5")
            _ = try refused(404, "/uploads/abc", "HEAD", bearer, version)
            _ = try refused(404, path + "x", "PATCH", bearer, version, type, "Upload-Offset: 0", content: piece)
            _ = try refused(400, "/uploads", "POST", bearer, version)
            _ = try refused(400, "/uploads", "POST", bearer, version, "Upload-Defer-Length: 1")
            _ = try refused(400, "/uploads", "POST", bearer, version, "Upload-Length: 5", "Upload-Metadata: a !")
            _ = try refused(413, "/uploads", "POST", bearer, version, "Upload-Length: 4000001")
            #expect(try look(client, path).field("Upload-Offset") == "0")
        }
    }

    @Test func moreThanTheUploadIsToHave_is413() throws {
        try withService { service, client in
            let path = try begin(client, 100)
            #expect(try append(client, path, at: 0, [UInt8](repeating: 1, count: 101)).code == 413)
            let chunked = try WireClient(service.address)
            chunked.request(
                path, method: "PATCH", Self.bearer, Self.version, Self.type, "Upload-Offset: 0",
                "Transfer-Encoding: chunked")
            chunked.send(
                "50\r\n" + String(repeating: "a", count: 80) + "\r\n20\r\n" + String(repeating: "b", count: 32))
            let response = try chunked.read()
            #expect(response.code == 413 && response.field("Tus-Resumable") == "1.0.0")
        }
    }

    @Test func oneAtATimeWrites() throws {
        try withService { service, client in
            let picture = Self.picture()
            let path = try begin(client, picture.count)
            let writing = try WireClient(service.address)
            writing.request(
                path, method: "PATCH", Self.bearer, Self.version, Self.type, "Upload-Offset: 0",
                "Content-Length: 100000", "Expect: 100-continue")
            #expect(try writing.read().code == 100)
            let second = try append(client, path, at: 0, Array(picture[..<10]))
            #expect(second.code == 423 && second.field("Retry-After") != nil)
            #expect(try client.get(path, method: "DELETE", Self.bearer, Self.version).code == 423)
            writing.send(picture)
            #expect(try writing.read().field("Veduta-Asset") != nil)
        }
    }

    @Test func withoutAFolderOrAToken_nobodyUploads() throws {
        try withService({ $0.uploads = nil }) { _, client in
            let response = try client.get("/uploads", method: "POST", Self.bearer, Self.version, "Upload-Length: 5")
            #expect(response.code == 403)
            #expect(try client.get("/uploads", method: "OPTIONS").field("Tus-Version") == nil)
        }
        try withService({ $0.token = nil }) { _, client in
            let response = try client.get("/uploads", method: "POST", Self.bearer, Self.version, "Upload-Length: 5")
            #expect(response.code == 403)
        }
    }

    @Test func contentThatMayNotBeWritten_isNotInvited() throws {
        try withService { service, client in
            let path = try begin(client, 100_000)
            for (field, code) in [("X: y", 401), (Self.bearer, 409)] {
                let asking = try WireClient(service.address)
                asking.request(
                    path, method: "PATCH", field, Self.version, Self.type, "Upload-Offset: 7", "Content-Length: 5",
                    "Expect: 100-continue")
                let response = try asking.read()
                #expect(response.code == code && response.saysClose)
            }
        }
    }

    // MARK: Checksums

    @Test func checksum_isHeld() throws {
        try withService { _, client in
            let picture = Self.picture()
            let path = try begin(client, picture.count)
            let (half, rest) = (Array(picture[..<50_000]), Array(picture[50_000...]))
            var sha1 = SHA1()
            sha1.update(half.span.bytes)
            let right = "Upload-Checksum: sha1 " + Data(sha1.digest()).base64EncodedString()
            #expect(try append(client, path, at: 0, rest, right).code == 460)
            #expect(try look(client, path).field("Upload-Offset") == "0")
            #expect(try append(client, path, at: 0, half, "Upload-Checksum: md5 AAAAAAAAAAAAAAAAAAAAAA==").code == 400)
            let first = try append(client, path, at: 0, half, right)
            #expect(first.code == 204 && first.field("Upload-Offset") == "50000")
            let digest = Data(SHA256.digest(of: rest).bytes).base64EncodedString()
            let last = try append(client, path, at: 50_000, rest, "Upload-Checksum: sha256 " + digest)
            #expect(last.code == 204 && last.field("Veduta-Asset") == "~" + SHA256.digest(of: picture).base64URL())
        }
    }

    // MARK: Discovery

    @Test func optionsTellsWhatIsDone_withoutAToken() throws {
        try withService { _, client in
            for target in ["/uploads", "/uploads/abc"] {
                let response = try client.get(target, method: "OPTIONS")
                #expect(response.code == 204)
                #expect(response.field("Tus-Resumable") == "1.0.0" && response.field("Tus-Version") == "1.0.0")
                #expect(response.field("Tus-Max-Size") == "4000000")
                let extensions = "creation,creation-with-upload,termination,expiration,checksum"
                #expect(response.field("Tus-Extension") == extensions)
                #expect(response.field("Tus-Checksum-Algorithm") == "sha1,sha256")
            }
        }
    }

    @Test func methodMayBeNamedInAField() throws {
        try withService { _, client in
            let path = try begin(client, 10)
            client.upload(
                path, [1, 2, 3], Self.bearer, Self.version, Self.type, "Upload-Offset: 0",
                "X-HTTP-Method-Override: PATCH")
            #expect(try client.read().code == 204)
            #expect(try look(client, path).field("Upload-Offset") == "3")
            let ended = try client.get(
                path, method: "POST", Self.bearer, Self.version, "X-HTTP-Method-Override: DELETE")
            #expect(ended.code == 204)
            #expect(try look(client, path).code == 404)
            // #15.15: a read stays a read, whatever a field says.
            let kept = try begin(client, 10)
            for method in ["GET", "HEAD", "PUT"] {
                _ = try client.get(kept, method: method, Self.bearer, Self.version, "X-HTTP-Method-Override: DELETE")
            }
            #expect(try look(client, kept).field("Upload-Offset") == "0")
            let none = try client.get(path, method: "POST", Self.bearer, Self.version)
            #expect(none.code == 405 && none.field("Allow") == "HEAD, PATCH, DELETE, OPTIONS")
        }
    }

    @Test func scriptsOfListedOrigins_mayUpload() throws {
        try withService({ $0.corsOrigins = .list(["https://example.org"]) }) { _, client in
            let origin = "Origin: https://example.org"
            let preflight = try client.get(
                "/uploads/abc", method: "OPTIONS", origin, "Access-Control-Request-Method: PATCH")
            #expect(preflight.field("Access-Control-Allow-Methods") == "HEAD, PATCH, DELETE, OPTIONS")
            let allowed = preflight.field("Access-Control-Allow-Headers") ?? ""
            for name in ["Authorization", "Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata"] {
                #expect(allowed.contains(name))
            }
            let response = try client.get(
                "/uploads", method: "POST", Self.bearer, Self.version, "Upload-Length: 5", origin)
            let exposed = response.field("Access-Control-Expose-Headers") ?? ""
            for name in ["Location", "Upload-Offset", "Upload-Length", "Tus-Resumable", "Veduta-Asset"] {
                #expect(exposed.contains(name))
            }
            #expect(response.field("Access-Control-Allow-Origin") == "https://example.org")
        }
    }

    /// Whether `condition` comes true.
    private func eventually(_ condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<18_000 {
            if try condition() { return true }
            Processors.pause(.milliseconds(10))
        }
        return false
    }
}
