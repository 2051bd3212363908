import HTTPMessage
import HTTPServer
import Origin
import Reactor
import ServiceConfiguration

/// Writes the line of one exchange. Allocates only for bytes beyond ASCII and for clients behind a trusted proxy.
struct AccessLine {
    /// In bytes; with every byte escaped, a line has at most 64 KiB.
    static let targetLimit = 4096
    static let fieldLimit = 1024

    /// Milliseconds since 1970.
    let arrivedUnixMilliseconds: Int64
    let exchange: Exchange
    /// The client that a trusted proxy names; nil where the peer is the client.
    var client: IPAddress?

    func append(_ format: AccessLogFormat, into bytes: inout [UInt8]) {
        switch format {
        case .off: break
        case .json: appendJSON(into: &bytes)
        case .common: appendCommon(into: &bytes)
        }
    }

    // MARK: JSON

    private func appendJSON(into bytes: inout [UInt8]) {
        LogText.append("{\"time\":\"", into: &bytes)
        appendTimestamp(into: &bytes)
        LogText.append("\",\"requestId\":\"", into: &bytes)
        exchange.requestID.append(to: &bytes)
        LogText.append("\",\"peer\":", into: &bytes)
        appendPeer(into: &bytes)
        LogText.append(",\"method\":", into: &bytes)
        if let head = exchange.head {
            head.withMethodBytes { appendQuoted($0, limit: 64, into: &bytes) }
            LogText.append(",\"target\":", into: &bytes)
            let target = head.target
            appendQuoted(target.textBytes, limit: Self.targetLimit, into: &bytes)
            LogText.append(",\"version\":\"", into: &bytes)
            LogText.append(Self.name(head.version), into: &bytes)
            LogText.append("\"", into: &bytes)
        } else {
            LogText.append("null,\"target\":null,\"version\":null", into: &bytes)
        }
        LogText.append(",\"status\":", into: &bytes)
        LogText.append(exchange.status.code, into: &bytes)
        LogText.append(",\"sentBytes\":", into: &bytes)
        LogText.append(exchange.sentByteCount, into: &bytes)
        LogText.append(",\"durationMicroseconds\":", into: &bytes)
        LogText.append(microseconds, into: &bytes)
        LogText.append(",\"referer\":", into: &bytes)
        appendField(.referrer, into: &bytes)
        LogText.append(",\"userAgent\":", into: &bytes)
        appendField(.userAgent, into: &bytes)
        LogText.append(exchange.isComplete ? ",\"complete\":true" : ",\"complete\":false", into: &bytes)
        appendAnswer(into: &bytes)
        LogText.append("}\n", into: &bytes)
    }

    /// Members that are left out where there is nothing to say.
    private func appendAnswer(into bytes: inout [UInt8]) {
        if let result = cacheResult {
            LogText.append(",\"cache\":\"", into: &bytes)
            appendTokens(result, into: &bytes)
            LogText.append("\"", into: &bytes)
        }
        if let mediaType = answerField("Content-Type") {
            LogText.append(",\"mediaType\":\"", into: &bytes)
            LogText.append(mediaType.span.bytes, limit: 128, as: .json, into: &bytes)
            LogText.append("\"", into: &bytes)
        }
        appendStages(into: &bytes)
        guard let trace = exchange.trace else { return }
        LogText.append(",\"trace_id\":\"", into: &bytes)
        bytes.append(contentsOf: trace.traceID.utf8)
        LogText.append("\",\"span_id\":\"", into: &bytes)
        bytes.append(contentsOf: trace.spanID.utf8)
        LogText.append("\",\"parent_span_id\":\"", into: &bytes)
        bytes.append(contentsOf: trace.parentSpanID.utf8)
        LogText.append("\"", into: &bytes)
    }

    /// `queue;dur=0.1, decode;dur=12.0` as `{"queue":0.1,"decode":12.0}`; nothing of what has no duration.
    private func appendStages(into bytes: inout [UInt8]) {
        guard let timing = answerField("Server-Timing") else { return }
        var isFirst = true
        for stage in timing.prefix(1024).split(separator: UInt8(ascii: ",")) {
            guard let end = stage.firstIndex(of: UInt8(ascii: ";")), stage[end...].starts(with: ";dur=".utf8) else {
                continue
            }
            LogText.append(isFirst ? ",\"stageMilliseconds\":{\"" : ",\"", into: &bytes)
            isFirst = false
            appendTokens(stage[..<end], into: &bytes)
            LogText.append("\":", into: &bytes)
            appendTokens(stage[end...].dropFirst(5), into: &bytes)
        }
        if !isFirst { LogText.append("}", into: &bytes) }
    }

    /// The bytes that may stand anywhere in a line: letters, digits, dots, dashes and underscores.
    private func appendTokens(_ text: ArraySlice<UInt8>, into bytes: inout [UInt8]) {
        for byte in text.prefix(64) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                bytes.append(byte)
            default: break
            }
        }
    }

    private func appendPeer(into bytes: inout [UInt8]) {
        if let client {
            LogText.append("\"", into: &bytes)
            bytes.append(contentsOf: client.description.utf8)
            LogText.append("\",\"proxy\":", into: &bytes)
        }
        guard let peer = exchange.peer else { return LogText.append("null", into: &bytes) }
        LogText.append("\"", into: &bytes)
        LogText.append(peer, into: &bytes)
        LogText.append("\"", into: &bytes)
        guard let port = peer.port else { return }
        LogText.append(",\"peerPort\":", into: &bytes)
        LogText.append(Int(port), into: &bytes)
    }

    private func appendQuoted(_ text: RawSpan, limit: Int, into bytes: inout [UInt8]) {
        LogText.append("\"", into: &bytes)
        LogText.append(text, limit: limit, as: .json, into: &bytes)
        LogText.append("\"", into: &bytes)
    }

    private func appendField(_ name: FieldName, into bytes: inout [UInt8]) {
        guard let fields = exchange.head?.fields, let index = fields.firstIndex(of: name) else {
            return LogText.append("null", into: &bytes)
        }
        appendQuoted(fields.valueBytes(at: index), limit: Self.fieldLimit, into: &bytes)
    }

    /// RFC 3339: `2026-11-21T15:30:00.123Z`.
    private func appendTimestamp(into bytes: inout [UInt8]) {
        let (day, milliseconds) = civilTime
        LogText.append(day.year, width: 4, into: &bytes)
        LogText.append("-", into: &bytes)
        LogText.append(day.month, width: 2, into: &bytes)
        LogText.append("-", into: &bytes)
        LogText.append(day.day, width: 2, into: &bytes)
        LogText.append("T", into: &bytes)
        appendTimeOfDay(milliseconds / 1000, into: &bytes)
        LogText.append(".", into: &bytes)
        LogText.append(milliseconds % 1000, width: 3, into: &bytes)
        LogText.append("Z", into: &bytes)
    }

    // MARK: Common

    private func appendCommon(into bytes: inout [UInt8]) {
        if let client {
            bytes.append(contentsOf: client.description.utf8)
        } else if let peer = exchange.peer {
            LogText.append(peer, into: &bytes)
        } else {
            LogText.append("-", into: &bytes)
        }
        LogText.append(" - - [", into: &bytes)
        let (day, milliseconds) = civilTime
        LogText.append(day.day, width: 2, into: &bytes)
        LogText.append("/", into: &bytes)
        LogText.append(Self.months[day.month - 1], into: &bytes)
        LogText.append("/", into: &bytes)
        LogText.append(day.year, width: 4, into: &bytes)
        LogText.append(":", into: &bytes)
        appendTimeOfDay(milliseconds / 1000, into: &bytes)
        LogText.append(" +0000] \"", into: &bytes)
        if let head = exchange.head {
            head.withMethodBytes { LogText.append($0, limit: 64, as: .common, into: &bytes) }
            LogText.append(" ", into: &bytes)
            let target = head.target
            LogText.append(target.textBytes, limit: Self.targetLimit, as: .common, into: &bytes)
            LogText.append(" ", into: &bytes)
            LogText.append(Self.name(head.version), into: &bytes)
        } else {
            LogText.append("-", into: &bytes)
        }
        LogText.append("\" ", into: &bytes)
        LogText.append(exchange.status.code, into: &bytes)
        LogText.append(" ", into: &bytes)
        LogText.append(exchange.sentByteCount, into: &bytes)
        appendCommonField(.referrer, into: &bytes)
        appendCommonField(.userAgent, into: &bytes)
        LogText.append(" ", into: &bytes)
        exchange.requestID.append(to: &bytes)
        LogText.append(" ", into: &bytes)
        LogText.append(microseconds, into: &bytes)
        LogText.append(exchange.isComplete ? " complete " : " incomplete ", into: &bytes)
        if let result = cacheResult { appendTokens(result, into: &bytes) } else { LogText.append("-", into: &bytes) }
        for name in ["Content-Type", "Server-Timing"] as [StaticString] {
            LogText.append(" \"", into: &bytes)
            if let value = answerField(name) {
                LogText.append(value.span.bytes, limit: 256, as: .common, into: &bytes)
            } else {
                LogText.append("-", into: &bytes)
            }
            LogText.append("\"", into: &bytes)
        }
        LogText.append(" ", into: &bytes)
        if let trace = exchange.trace {
            bytes.append(contentsOf: "\(trace.traceID)-\(trace.spanID)".utf8)
        } else {
            LogText.append("-", into: &bytes)
        }
        LogText.append("\n", into: &bytes)
    }

    private func appendCommonField(_ name: FieldName, into bytes: inout [UInt8]) {
        LogText.append(" \"", into: &bytes)
        if let fields = exchange.head?.fields, let index = fields.firstIndex(of: name) {
            LogText.append(fields.valueBytes(at: index), limit: Self.fieldLimit, as: .common, into: &bytes)
        } else {
            LogText.append("-", into: &bytes)
        }
        LogText.append("\"", into: &bytes)
    }

    // MARK: Parts of both

    private func answerField(_ name: StaticString) -> ArraySlice<UInt8>? {
        exchange.ownFields.value(of: name) ?? exchange.fields.value(of: name)
    }

    /// `hit`, or why the server went on: the first parameter of Cache-Status (RFC 9211 §2).
    private var cacheResult: ArraySlice<UInt8>? {
        guard let status = answerField("Cache-Status"), let name = status.firstIndex(of: UInt8(ascii: ";")) else {
            return nil
        }
        let rest = status[(name + 1)...].drop { $0 == UInt8(ascii: " ") }
        let first = rest.prefix { $0 != UInt8(ascii: ";") }
        return first.starts(with: "fwd=".utf8) ? first.dropFirst(4) : first
    }

    private var microseconds: Int { Int((exchange.finished - exchange.arrived).saturatedNanoseconds / 1000) }

    private var civilTime: (day: CivilDay, milliseconds: Int) {
        let milliseconds = Int(max(0, arrivedUnixMilliseconds))
        return (CivilDay(daysSince1970: milliseconds / 86_400_000), milliseconds % 86_400_000)
    }

    private func appendTimeOfDay(_ seconds: Int, into bytes: inout [UInt8]) {
        LogText.append(seconds / 3600, width: 2, into: &bytes)
        LogText.append(":", into: &bytes)
        LogText.append(seconds / 60 % 60, width: 2, into: &bytes)
        LogText.append(":", into: &bytes)
        LogText.append(seconds % 60, width: 2, into: &bytes)
    }

    private static func name(_ version: HTTPVersion) -> StaticString {
        switch version {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
