import HTTPMessage
import HTTPServer
import Origin
import Reactor
import ServiceConfiguration

/// Writes the line of one exchange. Nothing is allocated but by octets beyond ASCII, which no usual request has, and for
/// clients behind a trusted proxy.
struct AccessLine {
    /// How many octets of a target and of a field are written: with every octet escaped, a line has at most 64 KiB.
    static let targetLimit = 4096
    static let fieldLimit = 1024

    /// When the request came, in milliseconds since 1970.
    let arrivedUnixMilliseconds: Int64
    let exchange: Exchange
    /// Whose request a trusted proxy passed on; nil where the peer is the client.
    var client: IPAddress?

    /// Appends the line with its end; nothing for `off`.
    func append(_ format: AccessLogFormat, into octets: inout [UInt8]) {
        switch format {
        case .off: break
        case .json: appendJSON(into: &octets)
        case .common: appendCommon(into: &octets)
        }
    }

    // MARK: JSON

    private func appendJSON(into octets: inout [UInt8]) {
        LogText.append("{\"time\":\"", into: &octets)
        appendTimestamp(into: &octets)
        LogText.append("\",\"requestId\":\"", into: &octets)
        exchange.requestID.append(to: &octets)
        LogText.append("\",\"peer\":", into: &octets)
        appendPeer(into: &octets)
        LogText.append(",\"method\":", into: &octets)
        if let head = exchange.head {
            head.withMethodOctets { appendQuoted($0, limit: 64, into: &octets) }
            LogText.append(",\"target\":", into: &octets)
            let target = head.target
            appendQuoted(target.textOctets, limit: Self.targetLimit, into: &octets)
            LogText.append(",\"version\":\"", into: &octets)
            LogText.append(Self.name(head.version), into: &octets)
            LogText.append("\"", into: &octets)
        } else {
            LogText.append("null,\"target\":null,\"version\":null", into: &octets)
        }
        LogText.append(",\"status\":", into: &octets)
        LogText.append(exchange.status.code, into: &octets)
        LogText.append(",\"sentBytes\":", into: &octets)
        LogText.append(exchange.sentByteCount, into: &octets)
        LogText.append(",\"durationMicroseconds\":", into: &octets)
        LogText.append(microseconds, into: &octets)
        LogText.append(",\"referer\":", into: &octets)
        appendField(.referrer, into: &octets)
        LogText.append(",\"userAgent\":", into: &octets)
        appendField(.userAgent, into: &octets)
        LogText.append(exchange.isComplete ? ",\"complete\":true}\n" : ",\"complete\":false}\n", into: &octets)
    }

    private func appendPeer(into octets: inout [UInt8]) {
        if let client {
            LogText.append("\"", into: &octets)
            octets.append(contentsOf: client.description.utf8)
            LogText.append("\",\"proxy\":", into: &octets)
        }
        guard let peer = exchange.peer else { return LogText.append("null", into: &octets) }
        LogText.append("\"", into: &octets)
        LogText.append(peer, into: &octets)
        LogText.append("\"", into: &octets)
        guard let port = peer.port else { return }
        LogText.append(",\"peerPort\":", into: &octets)
        LogText.append(Int(port), into: &octets)
    }

    private func appendQuoted(_ text: RawSpan, limit: Int, into octets: inout [UInt8]) {
        LogText.append("\"", into: &octets)
        LogText.append(text, limit: limit, as: .json, into: &octets)
        LogText.append("\"", into: &octets)
    }

    private func appendField(_ name: FieldName, into octets: inout [UInt8]) {
        guard let fields = exchange.head?.fields, let index = fields.firstIndex(of: name) else {
            return LogText.append("null", into: &octets)
        }
        appendQuoted(fields.valueOctets(at: index), limit: Self.fieldLimit, into: &octets)
    }

    /// RFC 3339: `2026-11-21T15:30:00.123Z`.
    private func appendTimestamp(into octets: inout [UInt8]) {
        let (day, milliseconds) = civilTime
        LogText.append(day.year, width: 4, into: &octets)
        LogText.append("-", into: &octets)
        LogText.append(day.month, width: 2, into: &octets)
        LogText.append("-", into: &octets)
        LogText.append(day.day, width: 2, into: &octets)
        LogText.append("T", into: &octets)
        appendTimeOfDay(milliseconds / 1000, into: &octets)
        LogText.append(".", into: &octets)
        LogText.append(milliseconds % 1000, width: 3, into: &octets)
        LogText.append("Z", into: &octets)
    }

    // MARK: Common

    private func appendCommon(into octets: inout [UInt8]) {
        if let client {
            octets.append(contentsOf: client.description.utf8)
        } else if let peer = exchange.peer {
            LogText.append(peer, into: &octets)
        } else {
            LogText.append("-", into: &octets)
        }
        LogText.append(" - - [", into: &octets)
        let (day, milliseconds) = civilTime
        LogText.append(day.day, width: 2, into: &octets)
        LogText.append("/", into: &octets)
        LogText.append(Self.monthName(day.month), into: &octets)
        LogText.append("/", into: &octets)
        LogText.append(day.year, width: 4, into: &octets)
        LogText.append(":", into: &octets)
        appendTimeOfDay(milliseconds / 1000, into: &octets)
        LogText.append(" +0000] \"", into: &octets)
        if let head = exchange.head {
            head.withMethodOctets { LogText.append($0, limit: 64, as: .common, into: &octets) }
            LogText.append(" ", into: &octets)
            let target = head.target
            LogText.append(target.textOctets, limit: Self.targetLimit, as: .common, into: &octets)
            LogText.append(" ", into: &octets)
            LogText.append(Self.name(head.version), into: &octets)
        } else {
            LogText.append("-", into: &octets)
        }
        LogText.append("\" ", into: &octets)
        LogText.append(exchange.status.code, into: &octets)
        LogText.append(" ", into: &octets)
        LogText.append(exchange.sentByteCount, into: &octets)
        appendCommonField(.referrer, into: &octets)
        appendCommonField(.userAgent, into: &octets)
        LogText.append(" ", into: &octets)
        exchange.requestID.append(to: &octets)
        LogText.append(" ", into: &octets)
        LogText.append(microseconds, into: &octets)
        LogText.append(exchange.isComplete ? " complete\n" : " incomplete\n", into: &octets)
    }

    private func appendCommonField(_ name: FieldName, into octets: inout [UInt8]) {
        LogText.append(" \"", into: &octets)
        if let fields = exchange.head?.fields, let index = fields.firstIndex(of: name) {
            LogText.append(fields.valueOctets(at: index), limit: Self.fieldLimit, as: .common, into: &octets)
        } else {
            LogText.append("-", into: &octets)
        }
        LogText.append("\"", into: &octets)
    }

    // MARK: Parts of both

    private var microseconds: Int {
        Int((exchange.finished - exchange.arrived).saturatedNanoseconds / 1000)
    }

    private var civilTime: (day: CivilDay, milliseconds: Int) {
        let milliseconds = Int(max(0, arrivedUnixMilliseconds))
        return (CivilDay(daysSince1970: milliseconds / 86_400_000), milliseconds % 86_400_000)
    }

    private func appendTimeOfDay(_ seconds: Int, into octets: inout [UInt8]) {
        LogText.append(seconds / 3600, width: 2, into: &octets)
        LogText.append(":", into: &octets)
        LogText.append(seconds / 60 % 60, width: 2, into: &octets)
        LogText.append(":", into: &octets)
        LogText.append(seconds % 60, width: 2, into: &octets)
    }

    private static func name(_ version: HTTPVersion) -> StaticString {
        switch version {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }

    private static func monthName(_ month: Int) -> StaticString {
        switch month {
        case 1: "Jan"
        case 2: "Feb"
        case 3: "Mar"
        case 4: "Apr"
        case 5: "May"
        case 6: "Jun"
        case 7: "Jul"
        case 8: "Aug"
        case 9: "Sep"
        case 10: "Oct"
        case 11: "Nov"
        default: "Dec"
        }
    }
}
