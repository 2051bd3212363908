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
        LogText.append(exchange.isComplete ? ",\"complete\":true}\n" : ",\"complete\":false}\n", into: &bytes)
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
        LogText.append(exchange.isComplete ? " complete\n" : " incomplete\n", into: &bytes)
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
