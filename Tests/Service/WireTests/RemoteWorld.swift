import HTTPMessage
import Origin
import Reactor
import ServiceConfiguration
import Synchronization
import TestSupport
import FakeOrigin
import VedutaService

/// A service that may fetch from one origin on loopback, which answers as it is told. Both end with this object; an origin
/// that it was given does not.
final class RemoteWorld: Sendable {
    let origin: FakeOrigin
    let service: RunningService
    let clock: HandMovedClock
    private let script: Script
    private let ownsOrigin: Bool

    /// What the origin answers, by path.
    final class Script: Sendable {
        private let answers = Mutex<[String: @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step]]>([:])

        func set(_ path: String, _ answer: @escaping @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step]) {
            answers.withLock { $0[path] = answer }
        }

        func steps(_ seen: FakeOrigin.Seen) -> [FakeOrigin.Step] {
            guard let answer = answers.withLock({ $0[seen.target] }) else { return .answer(404, "") }
            return answer(seen)
        }
    }

    init(
        clock: HandMovedClock = HandMovedClock(), origin: FakeOrigin? = nil, script: Script = Script(),
        _ adjust: (inout Configuration) -> Void = { _ in }
    ) throws {
        try RunningService.prepare()
        let running = try origin ?? FakeOrigin { script.steps($0) }
        (self.origin, self.script, self.clock, ownsOrigin) = (running, script, clock, origin == nil)
        service = try RunningService(clock: clock.clock) { configuration in
            configuration.remoteAllow = Self.allowing("http://127.0.0.1:\(running.port)")
            configuration.remoteAddresses = Self.loopback
            configuration.idleTimeout = 3600
            configuration.sourceLifetime = 0
            adjust(&configuration)
        }
    }

    deinit {
        service.stop()
        if ownsOrigin { origin.stop() }
    }

    /// Another service on the same origin.
    func another(_ adjust: (inout Configuration) -> Void) throws -> RemoteWorld {
        try RemoteWorld(clock: clock, origin: origin, script: script, adjust)
    }

    /// Has the origin answer `path` with `picture` and field lines; with 304 to the tag, if one is among them.
    func serve(_ path: String, _ picture: [UInt8], _ lines: String...) {
        let tag = lines.first { $0.hasPrefix("ETag: ") }?.dropFirst("ETag: ".count)
        script.set(path) { seen in
            if let tag, seen.fields["if-none-match"] == String(tag) {
                return [.text((["HTTP/1.1 304 Not Modified"] + lines).joined(separator: "\r\n") + "\r\n\r\n")]
            }
            let head = ["HTTP/1.1 200 OK", "Content-Length: \(picture.count)"] + lines
            return [.text(head.joined(separator: "\r\n") + "\r\n\r\n"), .bytes(picture)]
        }
    }

    /// Has the origin answer `path` with `steps`.
    func answer(_ path: String, _ steps: [FakeOrigin.Step]) { script.set(path) { _ in steps } }

    /// How often the origin was asked for `path`.
    func count(_ path: String) -> Int { origin.requests.count { $0.target == path } }

    /// The target of a picture of the original at `path`.
    func target(_ path: String, _ more: String = "width=40&format=png") -> String {
        "/asset?id=\(origin.url(path))&\(more)"
    }

    func get(_ path: String, _ more: String = "width=40&format=png", _ cacheControl: String? = nil) throws
        -> WireResponse
    {
        let client = try WireClient(service.address)
        guard let cacheControl else { return try client.get(target(path, more)) }
        return try client.get(target(path, more), "Cache-Control: \(cacheControl)")
    }

    func metric(_ series: String) throws -> Int { try WireClient(service.address).metric(series) }

    /// Waits until no worker has anything to do.
    func waitForWorkers() -> Bool { (try? WireClient(service.address).waitForWorkers()) ?? false }

    private static func allowing(_ origins: String...) -> OriginList { (try? OriginList(origins)) ?? .none }

    private static let loopback = [AddressRange("127.0.0.0/8")].compactMap(\.self)
}
