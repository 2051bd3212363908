import Bytes
import HTTPMessage
import ResponseCache

/// What is written beside the bytes of a remote original in the disk tier: what its origin said of it, as field lines of
/// which the first two are ours.
struct RemoteRecord {
    let exchange: StoredExchange
    let state: OriginalState

    private static let times: FieldName = "Veduta-Times"
    private static let digest: FieldName = "Veduta-Digest"

    init(_ exchange: StoredExchange, _ state: OriginalState) {
        self.exchange = exchange
        self.state = state
    }

    var bytes: [UInt8] {
        var text = "\(Self.times): \(exchange.requestTime) \(exchange.responseTime) \(exchange.contentByteCount)\r\n"
        text += "\(Self.digest): \(state.validator)\r\n"
        for line in exchange.fields.lines { text += "\(line.name): \(line.value)\r\n" }
        return Array(text.utf8)
    }

    /// Reads what `bytes` wrote; nil where it is nothing of that kind.
    init?(_ bytes: [UInt8], lastModified: Int64?) {
        guard let fields = Self.fields(bytes), let times = fields.first(Self.times),
            let digest = fields.first(Self.digest)
        else { return nil }
        let numbers = times.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 3, let byteCount = Int(exactly: numbers[2]) else { return nil }
        exchange = StoredExchange(
            selecting: [RemoteRules.fields], status: .ok, fields: fields.removing([Self.times, Self.digest]),
            requestTime: numbers[0], responseTime: numbers[1], contentByteCount: byteCount)
        state = OriginalState(validator: digest, lastModified: lastModified)
    }

    private static func fields(_ bytes: [UInt8]) -> Fields? {
        let whole = Array("HTTP/1.1 200\r\n".utf8) + bytes + Array("\r\n".utf8)
        var reader = ResponseHeadReader(byteLimit: whole.count)
        var rest = whole[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[...end])
            switch reader.read(line.span.bytes) {
            case .head(let head): return head.fields
            case .more: rest = rest[(end + 1)...]
            case .interim, .malformed, .tooLarge: return nil
            }
        }
        return nil
    }
}
