import HTTPMessage
import Reactor
import Testing
import FakeOrigin

@testable import Origin

/// Parts of what an origin has: RFC 9110 §14.
@Suite(.timeLimit(.minutes(5))) struct FetchRangeTests {
    private static func fetch(
        _ bytes: Range<Int>, wholeLimit: Int = 0,
        _ answer: @escaping @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step]
    ) throws -> (Result<Fetched, OriginError>, text: String, seen: [FakeOrigin.Seen]) {
        try withTrialOrigin(answer) { origin in
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"])
            defer { fetcher.stop() }
            var request = FetchRequest(try OriginURL(origin.url("/a")), byteLimit: 1 << 20)
            request.range = FetchRange(bytes, wholeLimit: wholeLimit)
            let pending = fetcher.begin(request)
            return (pending.wait(), pending.sink.text, origin.requests)
        }
    }

    @Test func aPart_isAskedForAndTaken() throws {
        let (result, text, seen) = try Self.fetch(2..<5) { _ in .answer(206, "cde", "Content-Range: bytes 2-4/10") }
        #expect(try result.get().head.status == .partialContent)
        #expect(text == "cde")
        #expect(seen.map { $0.fields["range"] } == ["bytes=2-4"])
    }

    @Test func aPartThatReachesPastTheEnd_isCutThere() throws {
        let (result, text, _) = try Self.fetch(8..<20) { _ in .answer(206, "ij", "Content-Range: bytes 8-9/10") }
        #expect(try result.get().byteCount == 2)
        #expect(text == "ij")
    }

    @Test(arguments: [
        "Content-Range: bytes 1-3/10", "Content-Range: bytes 2-5/10", "Content-Range: bytes 2-3/10",
        "Content-Range: bytes 2-4/4", "Content-Range: bytes 4-2/10", "Content-Range: items 2-4/10",
        "Content-Range: bytes 2-4", "Content-Range: bytes */10", "Content-Range: bytes -4/10",
        "Content-Range: bytes 2-99999999999999999999/*", "X: y",
    ])
    func anotherPart_isRefused(_ line: String) throws {
        let (result, _, seen) = try Self.fetch(2..<5) { _ in .answer(206, "cde", line) }
        #expect(result == .failure(.notHTTP))
        #expect(seen.count == 1)
    }

    @Test func everything_isRefused_orTakenUpToALimit() throws {
        let refused = try Self.fetch(2..<5) { _ in .answer(200, "abcdefghij") }
        #expect(refused.0 == .failure(.status(200)))
        let taken = try Self.fetch(2..<5, wholeLimit: 10) { _ in .answer(200, "abcdefghij") }
        #expect(try taken.0.get().head.status == .ok)
        #expect(taken.text == "abcdefghij")
        let tooLarge = try Self.fetch(2..<5, wholeLimit: 9) { _ in .answer(200, "abcdefghij") }
        #expect(tooLarge.0 == .failure(.tooLarge(limit: 9)))
        let unstated = try Self.fetch(2..<5, wholeLimit: 9) { _ in [.text("HTTP/1.1 200 OK\r\n\r\n"), .endless] }
        #expect(unstated.0 == .failure(.tooLarge(limit: 9)))
    }

    @Test func moreOrFewerBytesThanStated_areNoAnswer() throws {
        let short = try Self.fetch(2..<5) { _ in .answer(206, "cd", "Content-Range: bytes 2-4/10") }
        #expect(short.0 == .failure(.broken))
        #expect(short.seen.count == 3)
        let long = try Self.fetch(2..<5) { _ in .answer(206, "cdef", "Content-Range: bytes 2-4/10") }
        #expect(long.0 == .failure(.tooLarge(limit: 3)))
    }

    @Test func aTransferThatBreaks_beginsAnew() throws {
        let (result, text, seen) = try Self.fetch(2..<5) { seen in
            guard seen.connection == 0 else { return .answer(206, "cde", "Content-Range: bytes 2-4/10", "ETag: \"a\"") }
            let head = "HTTP/1.1 206 Part\r\nContent-Length: 3\r\nContent-Range: bytes 2-4/10\r\nETag: \"a\"\r\n\r\nc"
            return [.text(head), .close]
        }
        #expect(try result.get().byteCount == 3)
        #expect(text == "cde")
        #expect(seen.map { $0.fields["range"] } == ["bytes=2-4", "bytes=2-4"])
    }

    @Test(arguments: [(416, OriginError.status(416)), (412, .status(412)), (404, .notFound)])
    func refusals_areTold(_ code: Int, _ error: OriginError) throws {
        #expect(try Self.fetch(2..<5) { _ in .answer(code, "") }.0 == .failure(error))
    }

    @Test func redirects_keepTheRange() throws {
        let (result, text, seen) = try Self.fetch(2..<5) { seen in
            seen.target == "/a" ? .redirect("/b") : .answer(206, "cde", "Content-Range: bytes 2-4/*")
        }
        #expect(try result.get().url.target == "/b")
        #expect(text == "cde")
        #expect(seen.map { $0.fields["range"] } == ["bytes=2-4", "bytes=2-4"])
    }
}
