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

    func append(_ format: AccessLogFormat, to line: inout LogLine) {
        guard format != .off else { return }
        AnswerFields.read(exchange) { fields in
            if format == .json { appendJSON(fields, to: &line) } else { appendCommon(fields, to: &line) }
        }
    }

    // MARK: JSON

    private func appendJSON(_ fields: AnswerFields, to line: inout LogLine) {
        line.append("{\"time\":\"")
        appendTimestamp(to: &line)
        line.append("\",\"requestId\":\"")
        line.append(exchange.requestID)
        line.append("\",\"peer\":")
        appendPeer(to: &line)
        line.append(",\"method\":")
        if let head = exchange.head {
            head.withMethodBytes { appendQuoted($0, limit: 64, to: &line) }
            line.append(",\"target\":")
            let target = head.target
            appendQuoted(target.textBytes, limit: Self.targetLimit, to: &line)
            line.append(",\"version\":\"")
            line.append(Self.name(head.version))
            line.append("\"")
        } else {
            line.append("null,\"target\":null,\"version\":null")
        }
        line.append(",\"status\":")
        line.append(exchange.status.code)
        line.append(",\"sentBytes\":")
        line.append(exchange.sentByteCount)
        line.append(",\"durationMicroseconds\":")
        line.append(microseconds)
        line.append(",\"referer\":")
        appendField(.referrer, to: &line)
        line.append(",\"userAgent\":")
        appendField(.userAgent, to: &line)
        line.append(exchange.isComplete ? ",\"complete\":true" : ",\"complete\":false")
        appendAnswer(fields, to: &line)
        line.append("}\n")
    }

    /// Members that are left out where there is nothing to say.
    private func appendAnswer(_ fields: AnswerFields, to line: inout LogLine) {
        if let result = fields.cacheResult {
            line.append(",\"cache\":\"")
            line.append(tokens: result)
            line.append("\"")
        }
        if let mediaType = fields.mediaType {
            line.append(",\"mediaType\":\"")
            line.append(mediaType, limit: 128, as: .json)
            line.append("\"")
        }
        if let stages = fields.stages { appendStages(stages, to: &line) }
        guard let trace = exchange.trace else { return }
        line.append(",\"trace_id\":\"")
        line.append(ascii: trace.traceID)
        line.append("\",\"span_id\":\"")
        line.append(ascii: trace.spanID)
        line.append("\",\"parent_span_id\":\"")
        line.append(ascii: trace.parentSpanID)
        line.append("\"")
    }

    /// `queue;dur=0.1, decode;dur=12.0` as `{"queue":0.1,"decode":12.0}`; nothing of what has no duration.
    private func appendStages(_ stages: UnsafeRawBufferPointer, to line: inout LogLine) {
        var isFirst = true
        var rest = stages.prefix(1024)
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let stage = rest[..<end]
            rest = rest[end...].dropFirst()
            guard let name = stage.firstIndex(of: UInt8(ascii: ";")), stage[name...].starts(with: Self.duration) else {
                continue
            }
            line.append(isFirst ? ",\"stageMilliseconds\":{\"" : ",\"")
            isFirst = false
            line.append(tokens: stage[..<name])
            line.append("\":")
            line.append(tokens: stage[name...].dropFirst(Self.duration.count))
        }
        if !isFirst { line.append("}") }
    }

    private static let duration = Array(";dur=".utf8)

    private func appendPeer(to line: inout LogLine) {
        if let client {
            line.append("\"")
            line.append(ascii: client.description)
            line.append("\",\"proxy\":")
        }
        guard let peer = exchange.peer else { return line.append("null") }
        line.append("\"")
        line.append(peer)
        line.append("\"")
        guard let port = peer.port else { return }
        line.append(",\"peerPort\":")
        line.append(Int(port))
    }

    private func appendQuoted(_ text: RawSpan, limit: Int, to line: inout LogLine) {
        line.append("\"")
        line.append(text, limit: limit, as: .json)
        line.append("\"")
    }

    private func appendField(_ name: FieldName, to line: inout LogLine) {
        guard let fields = exchange.head?.fields, let index = fields.firstIndex(of: name) else {
            return line.append("null")
        }
        appendQuoted(fields.valueBytes(at: index), limit: Self.fieldLimit, to: &line)
    }

    /// RFC 3339: `2026-11-21T15:30:00.123Z`.
    private func appendTimestamp(to line: inout LogLine) {
        let (day, milliseconds) = civilTime
        line.append(day.year, width: 4)
        line.append("-")
        line.append(day.month, width: 2)
        line.append("-")
        line.append(day.day, width: 2)
        line.append("T")
        appendTimeOfDay(milliseconds / 1000, to: &line)
        line.append(".")
        line.append(milliseconds % 1000, width: 3)
        line.append("Z")
    }

    // MARK: Common

    private func appendCommon(_ fields: AnswerFields, to line: inout LogLine) {
        if let client {
            line.append(ascii: client.description)
        } else if let peer = exchange.peer {
            line.append(peer)
        } else {
            line.append("-")
        }
        line.append(" - - [")
        let (day, milliseconds) = civilTime
        line.append(day.day, width: 2)
        line.append("/")
        line.append(Self.months[day.month - 1])
        line.append("/")
        line.append(day.year, width: 4)
        line.append(":")
        appendTimeOfDay(milliseconds / 1000, to: &line)
        line.append(" +0000] \"")
        if let head = exchange.head {
            head.withMethodBytes { line.append($0, limit: 64, as: .common) }
            line.append(" ")
            let target = head.target
            line.append(target.textBytes, limit: Self.targetLimit, as: .common)
            line.append(" ")
            line.append(Self.name(head.version))
        } else {
            line.append("-")
        }
        line.append("\" ")
        line.append(exchange.status.code)
        line.append(" ")
        line.append(exchange.sentByteCount)
        appendCommonField(.referrer, to: &line)
        appendCommonField(.userAgent, to: &line)
        line.append(" ")
        line.append(exchange.requestID)
        line.append(" ")
        line.append(microseconds)
        line.append(exchange.isComplete ? " complete " : " incomplete ")
        if let result = fields.cacheResult { line.append(tokens: result) } else { line.append("-") }
        appendCommon(fields.mediaType, to: &line)
        appendCommon(fields.stages, to: &line)
        line.append(" ")
        if let trace = exchange.trace {
            line.append(ascii: trace.traceID)
            line.append("-")
            line.append(ascii: trace.spanID)
        } else {
            line.append("-")
        }
        line.append("\n")
    }

    private func appendCommonField(_ name: FieldName, to line: inout LogLine) {
        line.append(" \"")
        if let fields = exchange.head?.fields, let index = fields.firstIndex(of: name) {
            line.append(fields.valueBytes(at: index), limit: Self.fieldLimit, as: .common)
        } else {
            line.append("-")
        }
        line.append("\"")
    }

    private func appendCommon(_ value: UnsafeRawBufferPointer?, to line: inout LogLine) {
        line.append(" \"")
        if let value { line.append(value, limit: 256, as: .common) } else { line.append("-") }
        line.append("\"")
    }

    // MARK: Parts of both

    private var microseconds: Int { Int((exchange.finished - exchange.arrived).saturatedNanoseconds / 1000) }

    private var civilTime: (day: CivilDay, milliseconds: Int) {
        let milliseconds = Int(max(0, arrivedUnixMilliseconds))
        return (CivilDay(daysSince1970: milliseconds / 86_400_000), milliseconds % 86_400_000)
    }

    private func appendTimeOfDay(_ seconds: Int, to line: inout LogLine) {
        line.append(seconds / 3600, width: 2)
        line.append(":")
        line.append(seconds / 60 % 60, width: 2)
        line.append(":")
        line.append(seconds % 60, width: 2)
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
