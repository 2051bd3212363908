import CacheProxy
import HTTPMessage
import Origin
import Reactor
import Synchronization
import TestSupport
import Testing
import FakeOrigin

/// The rules of a shared cache section by section, as a client and an origin see them; the rows are in `RuleTable.swift`.
@Suite(.timeLimit(.minutes(5))) struct RuleTableTests {
    @Test(arguments: RuleTable.rows.indices)
    func row(_ index: Int) throws {
        let row = RuleTable.rows[index]
        let world = try TableWorld()
        for (number, turn) in row.turns.enumerated() {
            let fault = try world.play(turn)
            #expect(fault == nil, "\(row.section) \(row.name), request \(number + 1)")
        }
    }

    /// RFC 9112 §8: what came to half is told as a failure, and no later request gets it.
    @Test(arguments: [
        [
            FakeOrigin.Step.text("HTTP/1.1 200 OK\r\nCache-Control: max-age=99\r\nContent-Length: 9\r\n\r\nhalf"),
            .close,
        ],
        [
            .text("HTTP/1.1 200 OK\r\nCache-Control: max-age=99\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
            .close,
        ],
        [.text("HTTP/1.1 200 OK\r\nCache-Control: max-age=99\r\nContent-Length: 9\r\n\r\nhalf"), .reset],
    ])
    func truncatedAnswer_isNeitherPassedOnNorStored(_ steps: [FakeOrigin.Step]) throws {
        let world = try TableWorld()
        world.steps = steps
        let code = try world.send(RuleTable.Turn()).code
        #expect([502, 504].contains(code))
        world.steps = nil
        #expect(try world.play(RuleTable.Turn(says: ["Cache-Control: max-age=9"], expects: .origin)) == nil)
    }

    /// RFC 9110 §15.2.
    @Test func interimAnswers_arePassedOn_andTheFinalOneIsStored() throws {
        let world = try TableWorld()
        world.steps = [
            .text("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"), .wait("final"),
            .text("HTTP/1.1 200 OK\r\nCache-Control: max-age=9\r\nContent-Length: 2\r\n\r\nok"),
        ]
        let client = try world.client()
        client.send("GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n")
        // It is there before the final answer is.
        let interim = try client.read()
        #expect((interim.code, interim.field("Link")) == (103, "</a>; rel=preload"))
        world.origin.release("final")
        #expect(try client.read().text == "ok")
        // A client of HTTP/1.0 knows no such thing.
        let old = try world.client()
        old.send("GET /b HTTP/1.0\r\nHost: a.test\r\n\r\n")
        #expect(try old.read().code == 200)
        world.steps = nil
        #expect(try world.play(RuleTable.Turn(expects: .stored)) == nil)
    }

    /// RFC 9110 §9.2.2: what is not idempotent is never sent twice, whatever becomes of the connection.
    @Test func requestThatGetsNoAnswer_isSentOnce() throws {
        let world = try TableWorld()
        _ = try world.play(RuleTable.Turn())
        world.steps = [.close]
        #expect(try world.send(RuleTable.Turn(method: "POST")).code == 504)
        #expect(world.origin.requests.count == 2)
    }

    /// RFC 9110 §7.6: what passes, and what belongs to one connection.
    @Test func request_passesWhole() throws {
        let world = try TableWorld()
        let client = try world.client()
        client.send(
            "M-SEARCH /a/../%7e;x?y=%20 HTTP/1.1\r\nHost: a.test\r\nX-A: b\r\nX-Empty:\r\nConnection: X-Hop\r\n"
                + "X-Hop: 1\r\nTE: trailers\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nwhat")
        #expect(try client.read().code == 200)
        let seen = try #require(world.origin.requests.first)
        #expect((seen.method, seen.target) == ("M-SEARCH", "/a/../%7e;x?y=%20"))
        #expect(String(decoding: seen.content, as: UTF8.self) == "what")
        #expect(
            seen.fields == [
                "host": "a.test", "x-a": "b", "x-empty": "", "content-encoding": "gzip", "content-length": "4",
                "via": "1.1 veduta-cache",
            ])
    }

    @Test func upstreamElsewhere_isRefused() throws {
        for text in ["http://192.0.2.1:80", "http://localhost:80", "https://127.0.0.1"] {
            let upstream = try OriginURL(text)
            #expect(throws: Errno.self) {
                let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
                _ = try CacheProxyServer(listener: listener, upstream: upstream)
            }
        }
    }
}

/// An origin that says what the row of a table tells it, and a proxy before it.
private final class TableWorld {
    let origin: FakeOrigin
    private let time = HandMovedClock()
    private let proxy: CacheProxyServer
    private let said: Said

    private final class Said: Sendable {
        let steps = Mutex<[FakeOrigin.Step]?>(nil)
        let turn = Mutex<[FakeOrigin.Step]>(.answer())
    }

    init() throws {
        let said = Said()
        self.said = said
        origin = try FakeOrigin { _ in said.steps.withLock { $0 } ?? said.turn.withLock { $0 } }
        let hand = time.clock
        let clock = Clock(monotonic: Clock.system.monotonic, unixSeconds: hand.unixSeconds)
        proxy = try CacheProxyServer(
            listener: try Listener.bind(.ipv4(0x7F00_0001, port: 0)), upstream: try OriginURL(origin.url()),
            clock: clock)
    }

    deinit {
        proxy.stop()
        origin.stop()
    }

    /// What the origin does instead of what the turns say.
    var steps: [FakeOrigin.Step]? {
        get { said.steps.withLock { $0 } }
        set { said.steps.withLock { $0 = newValue } }
    }

    func client() throws -> WireClient { try WireClient(proxy.address) }

    func send(_ turn: RuleTable.Turn) throws -> WireResponse {
        let client = try client()
        let length = turn.method == "POST" ? ["Content-Length: 1"] : []
        let lines = ["\(turn.method) \(turn.target) HTTP/1.1", "Host: a.test"] + length + turn.asks.map(dated)
        client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (length.isEmpty ? "" : "x"))
        return try client.read(toHead: turn.method == "HEAD")
    }

    /// nil when everything is as the turn expects it.
    func play(_ turn: RuleTable.Turn) throws -> String? {
        time.advance(by: .seconds(turn.pass))
        let content = turn.method == "HEAD" || turn.status == 304 || turn.status == 204 ? "" : turn.content
        let length = turn.status == 204 || turn.status == 304 ? [] : ["Content-Length: \(turn.content.utf8.count)"]
        let head = ["HTTP/1.1 \(turn.status) Reason"] + length + turn.says.map(dated)
        said.turn.withLock { $0 = [.text(head.joined(separator: "\r\n") + "\r\n\r\n" + content)] }
        let before = origin.requests.count
        let answer = try send(turn)
        let asked = origin.requests.dropFirst(before)
        switch turn.expects {
        case .stored: guard asked.isEmpty else { return "the origin was asked" }
        case .origin: guard asked.count == 1 else { return "the origin was asked \(asked.count) times" }
        case .validated(let field):
            guard asked.count == 1, let value = asked.first?.fields[field.lowercased()] else { return "no \(field)" }
            if let tag = turn.validator, dated(tag) != value { return "\(field) is \(value)" }
        case .unconditional:
            guard asked.count == 1, asked.allSatisfy({ $0.fields["if-none-match"] == nil }) else {
                return "a condition"
            }
        }
        if let code = turn.code, answer.code != code { return "the status is \(answer.code)" }
        if let text = turn.text, answer.text != text { return "the content is \(answer.text)" }
        for line in turn.has {
            let parts = dated(line).split(separator: ":", maxSplits: 1)
            let (name, wanted) = (String(parts[0]), String(parts[1].drop { $0 == " " }))
            guard Self.value(name, answer) == wanted else {
                return "\(name) is \(Self.value(name, answer) ?? "absent")"
            }
        }
        for name in turn.lacks where Self.value(name, answer) != nil { return "\(name) is there" }
        return nil
    }

    /// The values of all lines called `name` as one.
    private static func value(_ name: String, _ answer: WireResponse) -> String? {
        let values = answer.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// `@SECONDS` at the end of a line is a date, so many seconds from now.
    private func dated(_ line: String) -> String {
        guard let mark = line.lastIndex(of: "@"), let seconds = Int64(line[line.index(after: mark)...]) else {
            return line
        }
        return line[..<mark] + HTTPDate.text(time.clock.unixSeconds() + seconds)
    }
}
