import Foundation
import HTTPMessage
import MapSources
import Origin
import OriginCache
import Reactor
import Synchronization
import Testing
import FakeOrigin

private let fetchingIsReady = Fetcher.prepareProcess()

/// Runs `body` with an origin on loopback, and access to it and to nothing else.
func withRemote(
    cache rules: OriginRules = .trial, access: RemoteAccess.Rules = .init(), clock: Clock = .system,
    log: RemoteLog = RemoteLog(), allowing: [String] = [],
    _ answer: @escaping @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step],
    _ body: (FakeOrigin, RemoteAccess) throws -> Void
) throws {
    try #require(fetchingIsReady)
    try withTrialOrigin(answer) { origin in
        var settings = Fetcher.Settings()
        settings.origins = try OriginList(["http://127.0.0.1:\(origin.port)"] + allowing)
        settings.addresses = AddressPolicy(exceptions: ["127.0.0.0/8"].compactMap(AddressRange.init))
        settings.limits.backoff = .milliseconds(1)
        settings.limits.patience = .zero
        let fetcher = try Fetcher(settings)
        defer { fetcher.stop() }
        let cache = OriginCache(rules, fetcher: fetcher, clock: clock) { log.add($0) }
        try body(origin, RemoteAccess(cache, rules: access))
    }
}

extension OriginRules {
    /// Long waits, so that a busy machine changes nothing.
    static var trial: Self {
        var rules = maps()
        rules.patience = .seconds(60)
        return rules
    }
}

extension RemoteAccess {
    /// Waits until nothing is under way.
    func settle() {
        while cache.requestCount > 0 { usleep(1_000) }
    }
}

/// Lines for operators.
final class RemoteLog: Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }
    func add(_ line: String) { kept.withLock { $0.append(line) } }
}

/// A file on a server that knows ranges, or pretends to.
final class ServedFile: Sendable {
    /// How it is served.
    struct Manner: Sendable {
        var bytes: [UInt8]
        var entityTag: String?
        var lastModified: String?
        var fields: [String] = []
        /// Whether a 412 is sent where a precondition fails.
        var knowsPreconditions = true
        var knowsConditions = true
        var knowsRanges = true
        var tellsLength = true
        /// Added to what `Content-Range` says.
        var shift = 0
        /// Bytes of a part that are left out, with the connection closed.
        var missing = 0
        /// Sent instead, if it is one.
        var status: Int?
        /// Waited for before each answer.
        var gate: String?
    }

    private let manner: Mutex<Manner>

    init(_ bytes: [UInt8], entityTag: String? = "\"a\"", lastModified: String? = nil) {
        manner = Mutex(Manner(bytes: bytes, entityTag: entityTag, lastModified: lastModified))
    }

    func change(_ body: (inout Manner) -> Void) { manner.withLock { body(&$0) } }

    func answer(_ seen: FakeOrigin.Seen) -> [FakeOrigin.Step] {
        let manner = manner.withLock { $0 }
        let steps = Self.answer(seen.fields, manner)
        return manner.gate.map { [.wait($0)] + steps } ?? steps
    }

    private static func answer(_ fields: [String: String], _ manner: Manner) -> [FakeOrigin.Step] {
        var lines = manner.fields
        if let tag = manner.entityTag { lines.append("ETag: \(tag)") }
        if let date = manner.lastModified { lines.append("Last-Modified: \(date)") }
        func answer(_ status: Int, _ bytes: [UInt8] = [], _ more: String...) -> [FakeOrigin.Step] {
            let head = ["HTTP/1.1 \(status) Reason", "Content-Length: \(bytes.count)"] + lines + more
            return [.text(head.joined(separator: "\r\n") + "\r\n\r\n"), .bytes(bytes)]
        }
        if let status = manner.status { return answer(status) }
        if manner.knowsPreconditions {
            if let match = fields["if-match"], match != manner.entityTag { return answer(412) }
            if let date = fields["if-unmodified-since"], date != manner.lastModified { return answer(412) }
        }
        if manner.knowsConditions {
            if let tag = fields["if-none-match"], tag == manner.entityTag { return answer(304) }
            if let date = fields["if-modified-since"], date == manner.lastModified { return answer(304) }
        }
        guard manner.knowsRanges, let range = fields["range"] else { return answer(200, manner.bytes) }
        let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] < manner.bytes.count else { return answer(416) }
        let part = Array(manner.bytes[ends[0]...min(ends[1], manner.bytes.count - 1)])
        let first = ends[0] + manner.shift
        let whole = manner.tellsLength ? "\(manner.bytes.count)" : "*"
        let stated = "Content-Range: bytes \(first)-\(first + part.count - 1)/\(whole)"
        guard manner.missing > 0 else { return answer(206, part, stated) }
        let head = ["HTTP/1.1 206 Part", "Content-Length: \(part.count)", stated] + lines
        return [
            .text(head.joined(separator: "\r\n") + "\r\n\r\n"), .bytes(Array(part.dropLast(manner.missing))), .close,
        ]
    }
}
