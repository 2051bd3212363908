import Glibc
import HTTPServer

/// What the fields of an answer say of it, found in one pass over their lines: the first line of each counts.
struct AnswerFields {
    private var cacheStatus: UnsafeRawBufferPointer?
    private(set) var mediaType: UnsafeRawBufferPointer?
    /// Server-Timing.
    private(set) var stages: UnsafeRawBufferPointer?

    /// The fields are valid until `body` returns.
    static func read(_ exchange: Exchange, _ body: (AnswerFields) -> Void) {
        exchange.ownFields.bytes.withUnsafeBytes { own in
            exchange.fields.bytes.withUnsafeBytes { general in
                var fields = AnswerFields()
                fields.read(own)
                fields.read(general)
                body(fields)
            }
        }
    }

    private mutating func read(_ lines: UnsafeRawBufferPointer) {
        guard var start = lines.baseAddress else { return }
        let end = start + lines.count
        while start < end {
            let lineEnd = memchr(start, Int32(UInt8(ascii: "\n")), end - start).map { UnsafeRawPointer($0) + 1 } ?? end
            let line = UnsafeRawBufferPointer(start: start, count: lineEnd - start)
            switch start.load(as: UInt8.self) {
            case UInt8(ascii: "C"):
                Self.take("Cache-Status: ", line, &cacheStatus)
                Self.take("Content-Type: ", line, &mediaType)
            case UInt8(ascii: "S"): Self.take("Server-Timing: ", line, &stages)
            default: break
            }
            start = lineEnd
        }
    }

    private static func take(
        _ name: StaticString, _ line: UnsafeRawBufferPointer, _ value: inout UnsafeRawBufferPointer?
    ) {
        let nameEnd = name.utf8CodeUnitCount
        // Two bytes end the line.
        guard value == nil, line.count >= nameEnd + 2, let start = line.baseAddress,
            memcmp(start, name.utf8Start, nameEnd) == 0
        else { return }
        value = UnsafeRawBufferPointer(rebasing: line[nameEnd..<(line.count - 2)])
    }

    /// `hit`, or why the server went on: the first parameter of Cache-Status (RFC 9211 §2).
    var cacheResult: Slice<UnsafeRawBufferPointer>? {
        guard let cacheStatus, let name = cacheStatus.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let rest = cacheStatus[(name + 1)...].drop { $0 == UInt8(ascii: " ") }
        let first = rest.prefix { $0 != UInt8(ascii: ";") }
        return first.starts(with: Self.forward) ? first.dropFirst(Self.forward.count) : first
    }

    private static let forward = Array("fwd=".utf8)
}
