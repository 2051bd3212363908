import HTTPMessage
import Reactor
import Synchronization

@testable import Origin

/// Keeps what comes in memory, and how often it began.
final class GatheringSink: FetchSink {
    private struct State {
        var content: [UInt8] = []
        var beginningCount = 0
    }

    private let state = Mutex(State())
    private let byteLimit: Int

    init(byteLimit: Int = .max) { self.byteLimit = byteLimit }

    var text: String { state.withLock { String(decoding: $0.content, as: UTF8.self) } }
    var byteCount: Int { state.withLock { $0.content.count } }
    var beginningCount: Int { state.withLock { $0.beginningCount } }

    func began(_ head: ResponseHead) -> Bool {
        state.withLock { state in
            state.content = []
            state.beginningCount += 1
        }
        return byteLimit > 0
    }

    func received(_ bytes: RawSpan) -> Bool {
        state.withLock { state in
            bytes.withUnsafeBytes { state.content += $0 }
            return state.content.count <= byteLimit
        }
    }
}

/// Where the result of a fetch will be.
final class PendingFetch: Sendable {
    let sink: GatheringSink
    private let result = Monitor<Result<Fetched, OriginError>?>(nil)

    init(_ sink: GatheringSink = GatheringSink()) { self.sink = sink }

    func complete(_ result: Result<Fetched, OriginError>) {
        self.result.withLock { $0 = result }
        self.result.broadcast()
    }

    func wait() -> Result<Fetched, OriginError> { result.wait { $0 } }

    /// nil for a success.
    var error: OriginError? { if case .failure(let error) = wait() { error } else { nil } }
}

extension Fetcher {
    /// A fetcher for loopback; `adjust` changes the settings. Waits are as short as they can be.
    static func onLoopback(
        _ origins: [String], clock: Clock = .system, _ adjust: (inout Settings) -> Void = { _ in }
    ) throws -> Fetcher {
        guard ccurlIsReady else { throw OriginError.noMemory }
        var settings = Settings()
        settings.origins = try OriginList(origins)
        settings.addresses = AddressPolicy(exceptions: ["127.0.0.0/8", "::1"].compactMap(AddressRange.init))
        settings.limits.backoff = .milliseconds(1)
        adjust(&settings)
        return try Fetcher(settings, clock: clock)
    }

    func begin(_ url: String, sink: GatheringSink = GatheringSink(), byteLimit: Int = 1 << 20, _ lines: String...)
        throws
        -> PendingFetch
    {
        var request = FetchRequest(try OriginURL(url), byteLimit: byteLimit)
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard let name = FieldName(String(parts[0])) else { continue }
            request.fields.append(name, String(parts[1].drop { $0 == " " }))
        }
        return begin(request, sink: sink)
    }

    func begin(_ request: FetchRequest, sink: GatheringSink = GatheringSink()) -> PendingFetch {
        let pending = PendingFetch(sink)
        fetch(request, into: sink) { pending.complete($0) }
        return pending
    }
}
