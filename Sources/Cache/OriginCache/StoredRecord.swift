import HTTPMessage
import ResponseCache

/// Stored with the content of an answer in the disk tier: its origin's fields, after two of ours.
struct StoredRecord {
    let exchange: StoredExchange
    let digest: String?

    private static let times: FieldName = "Veduta-Times"
    private static let digest: FieldName = "Veduta-Digest"

    init(_ answer: CachedAnswer) {
        exchange = answer.exchange
        digest = answer.digest
    }

    var bytes: [UInt8] {
        var text = "\(Self.times): \(exchange.requestTime) \(exchange.responseTime) \(exchange.contentByteCount)\r\n"
        if let digest { text += "\(Self.digest): \(digest)\r\n" }
        for line in exchange.fields.lines { text += "\(line.name): \(line.value)\r\n" }
        return Array(text.utf8)
    }

    /// Reads what `bytes` wrote, for requests with `fields`; nil if malformed.
    init?(_ bytes: [UInt8], selecting fields: Fields) {
        guard let read = Self.fields(bytes), let times = read.first(Self.times) else { return nil }
        let numbers = times.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 3, let byteCount = Int(exactly: numbers[2]) else { return nil }
        exchange = StoredExchange(
            selecting: [fields], status: .ok, fields: read.removing([Self.times, Self.digest]),
            requestTime: numbers[0], responseTime: numbers[1], contentByteCount: byteCount)
        digest = read.first(Self.digest)
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
