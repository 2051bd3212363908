import AssetLibrary
import HTTPMessage
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct ResumableUploadRequestTests {
    private func head(_ line: String, _ fields: [String]) throws -> RequestHead {
        try RequestHeadParsing.parse("\(line) HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    private func read(_ line: String, _ fields: String...) throws -> ResumableUploadRequest {
        let head = try head(line, ["Tus-Resumable: 1.0.0"] + fields)
        return try ResumableUploadRequest(head, Endpoint(head.target))
    }

    private func status(_ line: String, _ fields: String...) throws -> Int? {
        let head = try head(line, fields)
        do throws(EndpointError) {
            _ = try ResumableUploadRequest(head, Endpoint(head.target))
            return nil
        } catch {
            return Problem(error).status.code
        }
    }

    private static let type = "Content-Type: application/offset+octet-stream"

    /// Several lines are one list, and no condition is lost for its length: without it the upload replaced what is there.
    @Test func conditionsOfATarget_areThoseOfItsRequest() throws {
        let asked = try head("PUT /assets/a.png", ["If-None-Match: \"x\"", "If-None-Match: \"y\""])
        let target = UploadTarget(id: "a.png", asked.fields)
        let conditions = try #require(target.head)
        let there = Validators(entityTag: EntityTag("\"y\""))
        #expect(Preconditions.evaluate(conditions.method, conditions.fields, there, now: 0) == .failed)
        let long = "\"\(String(repeating: "\u{FFFD}", count: 16_000))\", \"y\""
        let longest = UploadTarget(id: "a.png", ifMatch: nil, ifNoneMatch: long)
        let fields = try #require(longest.head).fields
        #expect(Preconditions.evaluate(.put, fields, there, now: 0) == .failed)
        #expect(UploadTarget(id: "a.png", try head("PUT /assets/a.png", []).fields).ifMatch == nil)
    }

    @Test func requests_areRead() throws {
        let metadata = try #require(UploadMetadata("filename Y2F0"))
        #expect(
            try read("POST /uploads", "Upload-Length: 7", "Upload-Metadata: filename Y2F0")
                == .create(length: 7, metadata, nil))
        #expect(
            try read("POST /uploads", "Upload-Length: 0", "Upload-Metadata:", Self.type, "Content-Length: 3")
                == .create(length: 0, .none, nil))
        let checksum = UploadChecksum("sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        #expect(checksum != nil)
        #expect(
            try read(
                "PATCH /uploads/tok", "Upload-Offset: 9", Self.type + "; a=b",
                "Upload-Checksum: sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=") == .append(token: "tok", offset: 9, checksum))
        #expect(try read("HEAD /uploads/tok") == .look(token: "tok"))
        #expect(try read("DELETE /uploads/tok") == .end(token: "tok"))
        #expect(try read("POST /uploads/tok", "X-HTTP-Method-Override: DELETE") == .end(token: "tok"))
    }

    @Test func methodIsTheOneThatIsNamed() throws {
        #expect(Tus.method(of: try head("POST /uploads/a", [])) == .post)
        #expect(Tus.method(of: try head("POST /uploads/a", ["X-HTTP-Method-Override: PATCH"])) == .patch)
        #expect(Tus.method(of: try head("POST /uploads/a", ["X-HTTP-Method-Override: patch"])) == .other)
        let twice = ["X-HTTP-Method-Override: PATCH", "X-HTTP-Method-Override: PATCH"]
        #expect(Tus.method(of: try head("POST /uploads/a", twice)) == .other)
        // #15.15: it stands for what some clients cannot send, and for nothing else.
        #expect(Tus.method(of: try head("POST /uploads/a", ["X-HTTP-Method-Override: DELETE"])) == .delete)
        #expect(Tus.method(of: try head("POST /uploads/a", ["X-HTTP-Method-Override: HEAD"])) == .other)
        #expect(Tus.method(of: try head("POST /uploads", ["X-HTTP-Method-Override: DELETE"])) == .post)
        for method in [Method.get, .head, .put, .patch, .options] {
            let named = try head("\(method.name) /uploads/a", ["X-HTTP-Method-Override: DELETE"])
            #expect(Tus.method(of: named) == method)
        }
    }

    @Test(arguments: ["", "0.9.0", "1.0.0, 1.0.0", "1.0"])
    func otherVersions_areRefused(_ version: String) throws {
        #expect(try status("HEAD /uploads/a", "Tus-Resumable: \(version)") == 412)
        #expect(try status("HEAD /uploads/a") == 412)
        #expect(try status("HEAD /uploads/a", "Tus-Resumable: 1.0.0", "Tus-Resumable: 1.0.0") == 412)
    }

    @Test(arguments: [
        "", "md5 AAAAAAAAAAAAAAAAAAAAAA==", "sha1", "sha1 AAAA", "sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA= x", "SHA1 AAAA",
        "sha256 AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ])
    func malformedChecksums_areNone(_ text: String) { #expect(UploadChecksum(text) == nil) }
}
