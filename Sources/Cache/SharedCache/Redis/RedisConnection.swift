import CRedis
import Reactor

/// For one thread; closes when released.
@safe final class RedisConnection {
    private let raw: OpaquePointer
    private let patience: Duration

    /// Lists in replies end here; a script that lists purges returns fewer.
    static let depthLimit = 4

    /// Looking the host up and connecting have `patience` together, and so has each call.
    init(_ address: RedisAddress, at lookup: HostLookup, patience: Duration) throws(RedisError) {
        unsafe raw = try Self.open(lookup, port: address.port, patience: patience)
        self.patience = patience
        if !address.password.isEmpty {
            let names = address.user.isEmpty ? [] : [address.user]
            do throws(RedisError) { _ = try call(["AUTH"] + names + [address.password]) } catch {
                // Its text may repeat the password.
                if case .refused = error { throw .refused("user or password refused") }
                throw error
            }
        }
        if address.database != 0 { _ = try call(["SELECT", "\(address.database)"]) }
    }

    deinit { unsafe credis_close(raw) }

    /// At the first of the addresses that answers.
    private static func open(_ lookup: HostLookup, port: Int, patience: Duration) throws(RedisError) -> OpaquePointer {
        let deadline = Clock.system.monotonic() + patience
        let hosts = lookup.addresses(forAtMost: patience)
        for (index, host) in hosts.enumerated() {
            let left = deadline - Clock.system.monotonic()
            guard left > .zero else { break }
            // One that is silent leaves time for those after it.
            let share = left / (hosts.count - index)
            var end = CREDIS_DONE
            if let opened = unsafe credis_open(host, Int32(port), milliseconds(share), &end) { return unsafe opened }
            if end == CREDIS_NO_MEMORY { throw .noMemory }
        }
        throw .unreachable
    }

    func call(_ arguments: [String]) throws(RedisError) -> RedisReply {
        try call(arguments.map { Array($0.utf8) }, replyLimit: 1 << 20)
    }

    /// `wait` is how long the command itself may take on the server. After an error that does not keep it, the connection is broken.
    func call(
        _ arguments: [[UInt8]], replyLimit: Int, wait: Duration = .zero
    ) throws(RedisError) -> RedisReply {
        let lengths = arguments.map(\.count)
        let bytes = Array(arguments.joined())
        var reply: OpaquePointer?
        let end = unsafe bytes.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var offset = 0
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for length in lengths {
                unsafe pointers.append(base.map { unsafe $0 + offset })
                offset += length
            }
            return unsafe credis_call(
                raw, Int32(clamping: lengths.count), pointers, lengths, Self.milliseconds(patience + wait), replyLimit,
                &reply)
        }
        guard end == CREDIS_DONE, let reply = unsafe reply else {
            throw switch end {
            case CREDIS_PROTOCOL: .malformed
            case CREDIS_NO_MEMORY: .noMemory
            default: .broken
            }
        }
        defer { unsafe credis_reply_free(reply) }
        return try unsafe Self.read(reply, depth: 0)
    }

    private static func read(_ reply: OpaquePointer, depth: Int) throws(RedisError) -> RedisReply {
        guard depth < depthLimit else { throw .malformed }
        switch unsafe credis_reply_kind(reply) {
        case CREDIS_NIL: return .none
        case CREDIS_INTEGER: return .integer(unsafe credis_reply_integer(reply))
        case CREDIS_TEXT: return .bytes(unsafe bytes(of: reply))
        case CREDIS_ARRAY:
            var list: [RedisReply] = []
            for index in 0..<(unsafe credis_reply_count(reply)) {
                guard let element = unsafe credis_reply_element(reply, index) else { throw .malformed }
                list.append(try unsafe read(element, depth: depth + 1))
            }
            return .list(list)
        default:
            let text = unsafe bytes(of: reply).prefix(200).map { $0 >= 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: "?") }
            throw .refused(String(decoding: text, as: UTF8.self))
        }
    }

    private static func bytes(of reply: OpaquePointer) -> [UInt8] {
        var count = 0
        let base = unsafe credis_reply_bytes(reply, &count)
        return unsafe Array(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(clamping: seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000)
    }
}
