import HTTPMessage
import Origin
import Reactor

/// `veduta cache warm`: asks a server for each of many URLs once, so that it has rendered them before anybody waits.
package final class CacheWarming {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case server(String)
        case threads(cause: String)

        package var description: String {
            switch self {
            case .server(let text): "\(text) is not the address of a server, such as http://127.0.0.1:8080"
            case .threads(let cause): "cannot start fetching: \(cause)"
            }
        }
    }

    package struct Counts: Equatable, Sendable {
        package var done = 0
        /// Answers from the cache, of those that said.
        package var hits = 0
        package var byteCount = 0
        /// At most ``failureLimit`` of them, with the line's target.
        package var failures: [String] = []
        package var failureCount = 0
    }

    package static let parallelLimit = 64
    package static let failureLimit = 20
    private static let byteLimit = 1 << 30

    private struct State {
        var counts = Counts()
        var running = 0
    }

    private let server: OriginURL
    private let fetcher: Fetcher
    private let parallel: Int

    /// At most `parallel` requests at a time.
    package init(server text: String, parallel: Int) throws(Failure) {
        do throws(OriginURLFault) { server = try OriginURL(text) } catch { throw .server(text) }
        guard Fetcher.prepareProcess() else { throw .threads(cause: "libcurl cannot be used") }
        self.parallel = min(max(1, parallel), Self.parallelLimit)
        var settings = Fetcher.Settings()
        settings.origins = OriginList.none.adding(server.origin)
        settings.addresses = AddressPolicy(exceptions: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        settings.limits.total = .seconds(120)
        settings.bounds.connectionsPerHost = self.parallel
        settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
        do throws(Errno) { fetcher = try Fetcher(settings) } catch { throw .threads(cause: "\(error)") }
    }

    deinit { fetcher.stop() }

    /// Asks for `targets`, which are paths, or URLs whose path counts; `progress` gets how many are done. `accept` is the
    /// `Accept` field, which decides the format of images without `format`.
    package func run(_ targets: [String], accept: String, progress: (_ done: Int) -> Void) -> Counts {
        let state = Monitor(State())
        for target in targets {
            // A free place, and how far it is.
            let done = state.wait { state in
                guard state.running < parallel else { return Int?.none }
                state.running += 1
                return state.counts.done
            }
            progress(done)
            guard let url = try? server.resolving(Self.path(target)), url.origin == server.origin else {
                Self.end(state, target, failure: "is no path")
                continue
            }
            var request = FetchRequest(url, byteLimit: Self.byteLimit)
            request.fields.append(.accept, accept)
            let sink = CountedContent()
            fetcher.fetch(request, into: sink) { result in
                switch result {
                case .success(let fetched):
                    let isHit = fetched.head.fields.first(.cacheStatus)?.contains("; hit") ?? false
                    Self.end(state, target, byteCount: fetched.byteCount, isHit: isHit)
                case .failure(let error): Self.end(state, target, failure: Self.words(error))
                }
            }
        }
        let counts = state.wait { $0.running == 0 ? $0.counts : nil }
        progress(counts.done)
        return counts
    }

    private static func end(
        _ state: Monitor<State>, _ target: String, byteCount: Int = 0, isHit: Bool = false, failure: String? = nil
    ) {
        state.withLock { state in
            state.running -= 1
            state.counts.done += 1
            state.counts.byteCount += byteCount
            if isHit { state.counts.hits += 1 }
            guard let failure else { return }
            state.counts.failureCount += 1
            if state.counts.failures.count < failureLimit { state.counts.failures.append("\(target): \(failure)") }
        }
        state.signal()
    }

    private static func words(_ error: OriginError) -> String {
        switch error {
        case .notFound: "status 404 or 410"
        case .status(let code): "status \(code)"
        case .unreachable: "the server cannot be reached"
        case .timedOut: "no answer in time"
        default: "\(error)"
        }
    }

    /// Without scheme and authority, as those are the server's.
    package static func path(_ target: String) -> String {
        guard let scheme = target.firstRange(of: "://") else { return target }
        let rest = target[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}

private final class CountedContent: FetchSink {
    func began(_ head: ResponseHead) -> Bool { true }
    func received(_ part: RawSpan) -> Bool { true }
}
