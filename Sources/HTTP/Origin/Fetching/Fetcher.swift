import Bytes
package import HTTPMessage
package import Reactor
import Synchronization

/// Fetches from origins on a thread of its own; any thread may ask.
package final class Fetcher: Sendable {
    package struct Settings: Sendable {
        package var origins = OriginList.none
        package var addresses = AddressPolicy()
        package var limits = FetchLimits()
        package var bounds = FetchLoop.Bounds()
        /// What is said of us to each origin.
        package var identities = OriginIdentities()
        /// Fields that every request has beside its own, unless it has one of that name: `User-Agent`.
        package var fields: [OriginField] = []
        /// Stands in for DNS in tests: `HOST:PORT:ADDRESS`.
        package var resolve: String?

        /// The defaults: nobody may be asked.
        package init() {}
    }

    /// Names a fetch, so that it can be given up.
    package struct Ticket: Sendable {
        fileprivate let number: UInt64
    }

    enum Order: Sendable {
        case fetch(UInt64, FetchRequest, any FetchSink, @Sendable (Result<Fetched, OriginError>) -> Void)
        case exchange(
            UInt64, ExchangeRequest, byteLimit: Int, onInterim: (@Sendable (ResponseHead) -> Void)?,
            @Sendable (Result<Exchanged, OriginError>) -> Void)
        case cancel(UInt64)
        case end
    }

    private let thread: LoopThread<Mailbox<Order>>
    private let nextNumber = Atomic<UInt64>(0)
    private let hasStopped = SharedFlag()

    /// Prepares libcurl, once per process, before any thread is started; false where it cannot be used.
    package static func prepareProcess() -> Bool { FetchLoop.prepare() }

    /// Starts the thread. Errors: `EAGAIN`, `EMFILE`, `ENOMEM`.
    package init(_ settings: Settings, clock: Clock = .system) throws(Errno) {
        thread = try LoopThread.start(name: "fetch", clock: clock) { loop throws(Errno) in
            let fetching = try FetchThread(settings, on: loop)
            return loop.makeMailbox { orders in
                for order in orders { fetching.take(order) }
            }
        }
    }

    /// Begins a fetch; `completion` is called once, on the fetch thread, and must not block. What the sink got is of use only
    /// when it is a success.
    @discardableResult
    package func fetch(
        _ request: FetchRequest, into sink: any FetchSink,
        completion: @escaping @Sendable (Result<Fetched, OriginError>) -> Void
    ) -> Ticket {
        let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
        guard !hasStopped.isSet else {
            completion(.failure(.cancelled))
            return Ticket(number: number)
        }
        thread.exports.post(.fetch(number, request, sink, completion))
        return Ticket(number: number)
    }

    /// Sends one request of any kind: no redirect is followed, no attempt repeated, and every status is a success. The content
    /// of the answer is gathered in memory, `byteLimit` bytes at most.
    ///
    /// `onInterim` is called for each interim answer, `completion` once at the end; both on the fetch thread, where they must not
    /// block.
    @discardableResult
    package func exchange(
        _ request: ExchangeRequest, byteLimit: Int, onInterim: (@Sendable (ResponseHead) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Exchanged, OriginError>) -> Void
    ) -> Ticket {
        let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
        guard !hasStopped.isSet else {
            completion(.failure(.cancelled))
            return Ticket(number: number)
        }
        thread.exports.post(.exchange(number, request, byteLimit: byteLimit, onInterim: onInterim, completion))
        return Ticket(number: number)
    }

    /// Gives a fetch up: its completion is called with ``OriginError/cancelled`` unless it is over already.
    package func cancel(_ ticket: Ticket) { thread.exports.post(.cancel(ticket.number)) }

    /// Whether `stop` was called.
    package var isStopped: Bool { hasStopped.isSet }

    /// Gives up what runs, tells its completions, and waits for the thread. Nothing may be asked for while it is called.
    package func stop() {
        hasStopped.set()
        thread.exports.post(.end)
        thread.stop()
        thread.join()
    }
}
