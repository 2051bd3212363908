import CRedis
import Reactor

/// The addresses of one host. `getaddrinfo` has no limit of time, so it runs on a thread of its own: one at a time, and nobody waits
/// for its end.
final class HostLookup: Sendable {
    /// Gives numeric addresses, and may take as long as it takes.
    typealias LookUp = @Sendable (_ host: String) -> [String]

    /// What was found late serves whoever asks next; a name that moves is looked up again after this.
    private static let lifetime = Duration.seconds(10)
    private static let addressLimit = 4

    private struct State: Sendable {
        var isRunning = false
        var endCount = 0
        /// By the last of them.
        var found: [String] = []
        var foundUntil = MonotonicInstant(nanoseconds: .min)
    }

    private let host: String
    private let clock: Clock
    private let lookUp: LookUp
    private let state = Monitor(State())

    init(_ host: String, clock: Clock, lookUp: @escaping LookUp) {
        (self.host, self.clock, self.lookUp) = (host, clock, lookUp)
    }

    /// Empty where there are none, or where they are not known after `patience`.
    func addresses(forAtMost patience: Duration) -> [String] {
        let now = clock.monotonic()
        let (known, endCount, starts) = state.withLock { state -> ([String], Int, Bool) in
            if now < state.foundUntil { return (state.found, state.endCount, false) }
            let starts = !state.isRunning
            state.isRunning = true
            return ([], state.endCount, starts)
        }
        guard known.isEmpty else { return known }
        if starts { start() }
        let found: [String]? = state.wait(forAtMost: patience) { $0.endCount == endCount ? nil : $0.found }
        return found ?? []
    }

    private func start() {
        let body: @Sendable () -> Void = { [host, clock, lookUp, state] in
            HostLookup.end(state, lookUp(host), now: clock.monotonic())
        }
        // Not joined: it may outlive the tier.
        let thread = try? OwnedThread.start(name: "shared-name", body: body)
        if thread == nil { Self.end(state, [], now: clock.monotonic()) }
    }

    private static func end(_ state: Monitor<State>, _ found: [String], now: MonotonicInstant) {
        state.withLock { state in
            state.isRunning = false
            state.endCount += 1
            state.found = found
            if !found.isEmpty { state.foundUntil = now + lifetime }
        }
        state.broadcast()
    }

    /// By `getaddrinfo`.
    @Sendable static func system(_ host: String) -> [String] {
        let room = Int(CREDIS_ADDRESS_ROOM)
        var texts = [UInt8](repeating: 0, count: addressLimit * room)
        let count = unsafe credis_look_up(host, &texts, addressLimit)
        return (0..<min(count, addressLimit)).map { index in
            String(decoding: texts[(index * room)..<((index + 1) * room)].prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
