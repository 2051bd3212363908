import Bytes
import Foundation
import HTTPMessage
import HTTPServer
import Parameters
import Reactor
import Testing
import URLSigning

@testable import VedutaService

/// From the target of a request to what is signed of it. Signatures that sites have given out must stay right: where the form has
/// to change, it gets another version, and the old one is still accepted.
@Suite(.timeLimit(.minutes(5))) struct SignedFormTests {
    /// A line of the file: a request, the text that is signed, its signature.
    struct Vector: CustomTestStringConvertible, Sendable {
        let method, target, content, text, signature: String
        var testDescription: String { "\(method) \(target)" }

        init?(_ line: Substring) {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 3 else { return nil }
            let words = columns[0].split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count >= 2 else { return nil }
            (method, target, content) = (words[0], words[1], words.count > 2 ? words[2] : "")
            text = columns[1].replacing("\\n", with: "\n")
            signature = columns[2]
        }
    }

    private static let key = "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    private static let vectors: [Vector?] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "signed-form-vectors.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { Vector($0) }
    }()

    private struct Read {
        let method: Method
        let endpoint: Endpoint
        let resource: SignedResource
        let credentials: Credentials
    }

    /// As the server reads it.
    private static func read(_ vector: Vector) throws -> Read {
        let bytes = Array(vector.content.utf8)
        let length = bytes.isEmpty ? "" : "Content-Length: \(bytes.count)\r\n"
        let head = try RequestHeadParsing.parse(
            "\(vector.method) \(vector.target) HTTP/1.1\r\nHost: a\r\n\(length)\r\n")
        let request = Request(
            head: head, requestID: try #require(RequestID("a")), arrived: MonotonicInstant(nanoseconds: 0),
            content: bytes.isEmpty ? .none : .bytes(SharedBytes(bytes)), peer: nil)
        var items = try QueryItems.parse(head.target.query ?? "")
        let credentials = try Credentials.take(from: &items)
        let endpoint = Endpoint(head.target)
        return Read(
            method: head.method, endpoint: endpoint, resource: try SignedForm.resource(of: request, endpoint, items),
            credentials: credentials)
    }

    @Test(arguments: vectors) func formsAreFrozen(_ vector: Vector?) throws {
        let vector = try #require(vector, "a line is malformed")
        let key = try #require(SigningKey(text: Self.key))
        let read = try Self.read(vector)
        let text =
            if let allow = read.credentials.allow {
                URLSignature.message(forSet: allow, expires: read.credentials.expires)
            } else {
                URLSignature.message(for: read.resource, expires: read.credentials.expires)
            }
        let advice: Comment = "the signed form is another one: all signatures that were given out are wrong now"
        #expect(text == vector.text, advice)
        #expect(URLSignature.sign(text, with: key) == vector.signature, advice)
        var credentials = read.credentials
        credentials.signature = vector.signature
        let keys = try #require(SigningKeys([key]))
        #expect(try URLSignature.check(credentials, for: read.resource, keys: keys, now: 1_800_000_000) == "a")
    }

    @Test func everyPictureRoute_hasVectors() throws {
        let all = try Self.vectors.map { try Self.read(#require($0)) }
        for endpoint in Endpoint.allCases {
            for method in [Method.get, .post] where endpoint.needsSignature(method) {
                #expect(
                    all.contains { $0.endpoint == endpoint && $0.method == method && $0.credentials.allow == nil },
                    "\(method) \(endpoint)")
            }
        }
        #expect(all.count { $0.credentials.allow != nil } >= 4)
        #expect(all.contains { $0.credentials.expires != nil && $0.credentials.allow == nil })
    }
}
