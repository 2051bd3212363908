import Bytes
import Foundation
import HTTPMessage
import Reactor
import ServiceConfiguration
import Testing

@testable import HTTPServer
@testable import AccessLogging

/// An exchange over `text` as the head, or over a head that was refused.
func exchange(
    _ text: String?, id: String = "r-1", peer: SocketAddress? = .ipv4(0xC000_0201, port: 54321), sent: Int = 20480,
    microseconds: Int64 = 1234, isComplete: Bool = true
) throws -> Exchange {
    try exchange(
        bytes: text.map { Array($0.utf8) }, id: id, peer: peer, sent: sent, microseconds: microseconds,
        isComplete: isComplete)
}

func exchange(
    bytes: [UInt8]?, id: String = "r-1", peer: SocketAddress? = .ipv4(0xC000_0201, port: 54321), sent: Int = 20480,
    microseconds: Int64 = 1234, isComplete: Bool = true
) throws -> Exchange {
    var head: RequestHead?
    if let bytes {
        var parser = RequestHeadParser(limits: HTTPLimits())
        guard case .complete(let parsed, _) = parser.parse(bytes.span.bytes) else { throw NoHead() }
        head = parsed
    }
    let arrived = MonotonicInstant(nanoseconds: 5_000_000_000)
    let finished = arrived + .microseconds(microseconds)
    return Exchange(
        requestID: try #require(RequestID(id)), peer: peer, head: head, status: head == nil ? .badRequest : .ok,
        arrived: arrived,
        answered: finished, finished: finished, sentByteCount: sent, isComplete: isComplete)
}

struct NoHead: Error {}

@Suite(.timeLimit(.minutes(5))) struct AccessLineTests {
    /// 2026-11-21T15:30:00.123Z.
    private static let instant: Int64 = 1_795_275_000_123

    private func line(_ exchange: Exchange, _ format: AccessLogFormat) -> String {
        var line = LogLine()
        AccessLine(arrivedUnixMilliseconds: Self.instant, exchange: exchange).append(format, to: &line)
        return String(decoding: line.bytes, as: UTF8.self)
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func jsonLine_hasEveryField() throws {
        let line = line(
            try exchange(
                """
                GET /asset?id=a.png HTTP/1.1\r\nHost: x\r\nReferer: https://example.org/\r\nUser-Agent: curl/8\r\n\r\n
                """), .json)
        #expect(
            line == """
                {"time":"2026-11-21T15:30:00.123Z","requestId":"r-1","peer":"192.0.2.1","peerPort":54321,"method":"GET",\
                "target":"/asset?id=a.png","version":"HTTP/1.1","status":200,"sentBytes":20480,\
                "durationMicroseconds":1234,"referer":"https://example.org/","userAgent":"curl/8","complete":true}

                """)
        _ = try object(line)
    }

    @Test func commonLine_isTheCombinedFormat_withIdTimeAndEnd() throws {
        let text = "HEAD /map?zoom=3 HTTP/1.0\r\nUser-Agent: curl/8\r\n\r\n"
        #expect(
            line(try exchange(text), .common)
                == """
                192.0.2.1 - - [21/Nov/2026:15:30:00 +0000] "HEAD /map?zoom=3 HTTP/1.0" 200 20480 "-" "curl/8" r-1 1234 \
                complete - "-" "-" -

                """)
        let partial = line(try exchange(text, isComplete: false), .common)
        #expect(partial.hasSuffix(" r-1 1234 incomplete - \"-\" \"-\" -\n"))
    }

    @Test func refusedHead_isLoggedWithoutIt() throws {
        let refused = try exchange(nil, peer: nil)
        let members = try object(line(refused, .json))
        #expect(members["method"] is NSNull && members["target"] is NSNull && members["peer"] is NSNull)
        #expect(members["status"] as? Int == 400)
        #expect(
            line(refused, .common)
                == "- - - [21/Nov/2026:15:30:00 +0000] \"-\" 400 20480 \"-\" \"-\" r-1 1234 complete - \"-\" \"-\" -\n")
    }

    /// What the answer says of itself, and where the request is in its trace.
    @Test func answer_tellsCacheResult_format_andStages() throws {
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var told = try exchange("GET / HTTP/1.1\r\nHost: x\r\ntraceparent: \(trace)\r\n\r\n")
        told.fields.append(.contentType, "image/webp")
        told.ownFields.append(.cacheStatus, "Veduta; fwd=uri-miss; stored")
        told.ownFields.append(.serverTiming, "queue;dur=0.1, cache;desc=hit, decode;dur=12.0")
        let members = try object(line(told, .json))
        #expect(members["cache"] as? String == "uri-miss")
        #expect(members["mediaType"] as? String == "image/webp")
        #expect(members["stageMilliseconds"] as? [String: Double] == ["queue": 0.1, "decode": 12])
        #expect(members["trace_id"] as? String == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(members["parent_span_id"] as? String == "00f067aa0ba902b7")
        let span = try #require(members["span_id"] as? String)
        #expect(span.count == 16 && span != "00f067aa0ba902b7")
        #expect(
            line(told, .common).hasSuffix(
                " uri-miss \"image/webp\" \"queue;dur=0.1, cache;desc=hit, decode;dur=12.0\""
                    + " 4bf92f3577b34da6a3ce929d0e0e4736-\(span)\n"))
        told.ownFields = FieldLines()
        told.ownFields.append(.cacheStatus, "Veduta; hit")
        #expect(try object(line(told, .json))["cache"] as? String == "hit")
        #expect(try object(line(told, .json))["stageMilliseconds"] == nil)
    }

    @Test func off_writesNothing() throws {
        #expect(line(try exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), .off).isEmpty)
    }

    /// Every byte that a field may hold, and the log is still one line of printable ASCII that is read back.
    @Test(arguments: AccessLogFormat.allCases.filter { $0 != .off })
    func anyByteOfAField_staysInItsLine(_ format: AccessLogFormat) throws {
        for byte in (0...255 as ClosedRange<UInt8>) where byte == 9 || byte >= 0x20 && byte != 0x7f {
            let bytes =
                Array("GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: a".utf8) + [byte] + Array("b\r\n\r\n".utf8)
            let line = line(try exchange(bytes: bytes), format)
            #expect(line.hasSuffix("\n") && line.dropLast().utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "\(byte)")
            if format == .json {
                let agent = try object(line)["userAgent"] as? String
                #expect(agent == String(decoding: [UInt8(ascii: "a"), byte, UInt8(ascii: "b")], as: UTF8.self))
            } else {
                // The quotation marks that are not escaped are those of request, referrer, user agent, format and stages.
                let marks = line.replacing("\\\\", with: "").replacing("\\\"", with: "").count { $0 == "\"" }
                #expect(marks == 10, "\(line)")
            }
        }
    }

    @Test func controlBytes_areEscapedInBothStyles() {
        for byte in Array(0..<0x20 as Range<UInt8>) + [0x7f, 0x80, 0x9b, 0xff] {
            for style in [LogLine.Style.json, .common] {
                var line = LogLine()
                line.append([byte].span.bytes, limit: 10, as: style)
                #expect(line.bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "\(byte)")
            }
        }
    }

    @Test func textBeyondASCII_isReadBackFromJSON() throws {
        let text = "é😀\u{202e}\u{9b}\u{2028}"
        let line = line(try exchange("GET / HTTP/1.1\r\nHost: x\r\nReferer: \(text)\r\n\r\n"), .json)
        #expect(line.utf8.allSatisfy { $0 < 0x7f })
        #expect(try object(line)["referer"] as? String == text)
    }

    @Test func longTexts_areCutWithDots() throws {
        let target = "/" + String(repeating: "a", count: 5000)
        let agent = String(repeating: "\u{ff}", count: 2000)
        let line = line(try exchange("GET \(target) HTTP/1.1\r\nHost: x\r\nUser-Agent: \(agent)\r\n\r\n"), .json)
        let members = try object(line)
        #expect(members["target"] as? String == target.prefix(AccessLine.targetLimit) + "...")
        #expect((members["userAgent"] as? String)?.hasSuffix("...") == true)
        #expect(line.utf8.count < 65536)
    }

    @Test(
        arguments: [
            (0, 0, "::"), (0, 1, "::1"), (0x2001_0db8_0000_0000, 1, "2001:db8::1"),
            (0x2001_0db8_0000_0001, 0x0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1"),
            (0x2001_0db8_0000_0000, 0x0001_0000_0000_0001, "2001:db8::1:0:0:1"),
            (0xfe80_0000_0000_0000, 0, "fe80::"), (0x0001_0002_0003_0004, 0x0005_0006_0007_0008, "1:2:3:4:5:6:7:8"),
            (0x0000_0000_0003_0004, 0x0005_0006_0000_0000, "::3:4:5:6:0:0"),
        ] as [(UInt64, UInt64, String)])
    func addressesOfIPv6_areShortened(_ high: UInt64, _ low: UInt64, _ text: String) {
        var line = LogLine()
        line.append(.ipv6(high, low, port: 80, scope: 0))
        #expect(String(decoding: line.bytes, as: UTF8.self) == text)
        #expect(SocketAddress.ipv6(high, low, port: 80, scope: 0).description == "[\(text)]:80")
    }

    @Test func numbers_areDecimalAndPadded() {
        for (value, width, text) in [
            (0, 1, "0"), (7, 2, "07"), (1000, 3, "1000"), (-5, 1, "0"), (.max, 1, "\(Int.max)"),
        ] {
            var line = LogLine()
            line.append(value, width: width)
            #expect(String(decoding: line.bytes, as: UTF8.self) == text)
        }
    }
}
