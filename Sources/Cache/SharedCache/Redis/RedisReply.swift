enum RedisReply: Equatable, Sendable {
    case none
    case integer(Int64)
    case bytes([UInt8])
    case list([RedisReply])

    /// A text that is a number, too: scripts tell large ones so.
    var number: UInt64? {
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .bytes(let bytes): UInt64(String(decoding: bytes, as: UTF8.self))
        case .none, .list: nil
        }
    }

    var text: String? { if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
}

enum RedisError: Error, Equatable, Sendable {
    case unreachable
    /// The connection ended, or nothing came in time.
    case broken
    /// What came is no reply, or too long.
    case malformed
    case noMemory
    /// The server says no, for the log.
    case refused(String)

    var keepsConnection: Bool { if case .refused = self { true } else { false } }

    var cause: String {
        switch self {
        case .unreachable: "no connection"
        case .broken: "no answer in time"
        case .malformed: "the answer is not that of Redis"
        case .noMemory: "not enough memory"
        case .refused(let text): text
        }
    }
}
