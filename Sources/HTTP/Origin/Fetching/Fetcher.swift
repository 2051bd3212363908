import Bytes
package import HTTPMessage
package import Reactor
import Synchronization

/// Fetches from origins on a thread of its own. Any thread may call it.
package final class Fetcher: Sendable {
    package struct Settings: Sendable {
        package var origins = OriginList.none
        package var addresses = AddressPolicy()
        package var limits = FetchLimits()
        package var bounds = FetchLoop.Bounds()
        /// What each origin gets to know of us.
        package var identities = OriginIdentities()
        /// Fields of every request unless it has one of that name, such as `User-Agent`.
        package var fields: [OriginField] = []
        /// Called on the fetch thread, where it must not block.
        package var credentialsFailed: (@Sendable (S3CredentialSource, S3CredentialFault) -> Void)?
        /// Replaces DNS in tests: `HOST:PORT:ADDRESS`.
        package var resolve: String?

        package init() {}
    }

    package struct Ticket: Sendable {
        fileprivate let number: UInt64
    }

    enum Order: Sendable {
        case fetch(UInt64, FetchRequest, any FetchSink, @Sendable (Result<Fetched, OriginError>) -> Void)
        case exchange(
            UInt64, ExchangeRequest, byteLimit: Int, onInterim: (@Sendable (ResponseHead) -> Void)?,
            @Sendable (Result<Exchanged, OriginError>) -> Void)
        case cancel(UInt64)
        case wake(after: Duration, @Sendable () -> Void)
        case end
    }

    private let thread: LoopThread<Mailbox<Order>>
    private let nextNumber = Atomic<UInt64>(0)
    private let hasStopped = SharedFlag()

    /// Prepares libcurl once per process, before any thread starts; false if it cannot be used.
    package static func prepareProcess() -> Bool { FetchLoop.prepare() }

    /// Errors: `EAGAIN`, `EMFILE`, `ENOMEM`.
    package init(_ settings: Settings, clock: Clock = .system) throws(Errno) {
        thread = try LoopThread.start(name: "fetch", clock: clock) { loop throws(Errno) in
            let fetching = try FetchThread(settings, on: loop)
            return loop.makeMailbox { orders in
                for order in orders { fetching.take(order) }
            }
        }
    }

    /// Calls `completion` once, on the fetch thread, where it must not block. The sink's content counts after success only.
    @discardableResult package func fetch(
        _ request: FetchRequest, into sink: any FetchSink,
        completion: @escaping @Sendable (Result<Fetched, OriginError>) -> Void
    ) -> Ticket {
        post(completion) { .fetch($0, request, sink, completion) }
    }

    /// No redirects or retries; every status is a success. Calls back on the fetch thread; content is in memory.
    @discardableResult package func exchange(
        _ request: ExchangeRequest, byteLimit: Int, onInterim: (@Sendable (ResponseHead) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Exchanged, OriginError>) -> Void
    ) -> Ticket {
        post(completion) { .exchange($0, request, byteLimit: byteLimit, onInterim: onInterim, completion) }
    }

    private func post<Value>(
        _ completion: (Result<Value, OriginError>) -> Void, _ makeOrder: (UInt64) -> Order
    ) -> Ticket {
        let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
        if hasStopped.isSet {
            completion(.failure(.cancelled))
        } else {
            thread.exports.post(makeOrder(number))
        }
        return Ticket(number: number)
    }

    /// Calls the fetch's completion with ``OriginError/cancelled`` unless it is over.
    package func cancel(_ ticket: Ticket) { thread.exports.post(.cancel(ticket.number)) }

    /// Calls `body` on the fetch thread, where it must not block, after `duration` of the clock; not at all where that ends first.
    package func wake(after duration: Duration, _ body: @escaping @Sendable () -> Void) {
        thread.exports.post(.wake(after: duration, body))
    }

    /// Cancels what runs and waits for the thread. No request may be made meanwhile.
    package func stop() {
        hasStopped.set()
        thread.exports.post(.end)
        thread.stop()
        thread.join()
    }
}
