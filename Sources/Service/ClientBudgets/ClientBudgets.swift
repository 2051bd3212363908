import Bytes
package import Reactor
import Synchronization

/// Who pays for work.
package enum BudgetClient: Hashable, Sendable {
    case network(ClientNetwork)
    /// All clients whose URLs this key signed.
    case key(String)
    /// All clients of a socket in the file system.
    case local
}

/// What every client may use: seconds of processor time, for which bytes fetched from other servers and bytes written to
/// disk count too. One lock, held for a look-up in a table; hits never take it.
package final class ClientBudgets: Sendable {
    /// Bytes fetched or written that count as a second of processor time.
    package static let bytesPerSecond = 64.0 * 1024 * 1024
    /// Seconds that a request for something that is not in memory costs until its price is known.
    static let entryPrice = 0.005
    /// Some 5 MB.
    package static let usualClientLimit = 65_536

    package let rate: BudgetRate
    private let buckets: Mutex<TokenBuckets<BudgetClient>>
    private let clock: Clock

    package init(_ rate: BudgetRate, clientLimit: Int = usualClientLimit, clock: Clock) {
        self.rate = rate
        self.clock = clock
        buckets = Mutex(TokenBuckets(rate, clientLimit: clientLimit))
    }

    /// Clients whose budget is not full.
    package var clientCount: Int { buckets.withLock { $0.count } }

    package func left(of client: BudgetClient) -> Double {
        let now = clock.monotonic()
        return buckets.withLock { $0.left(of: client, at: now) }
    }

    func take(_ price: Double, charged: Double, from client: BudgetClient) -> BudgetRefusal? {
        let now = clock.monotonic()
        let verdict = buckets.withLock { $0.take(price, charged: charged, from: client, at: now) }
        guard case .refused(let left, let retryAfter) = verdict else { return nil }
        return BudgetRefusal(rate, left: left, retryAfter: retryAfter)
    }

    func settle(_ difference: Double, for client: BudgetClient) {
        let now = clock.monotonic()
        buckets.withLock { $0.settle(difference, for: client, at: now) }
    }
}

/// Why work was not begun, as the fields `RateLimit` and `RateLimit-Policy` tell it. Whole numbers from 0.
package struct BudgetRefusal: Error, Equatable, Sendable {
    package let retryAfterSeconds: Int
    /// Of processor time.
    package let leftMilliseconds, depthMilliseconds: Int
    /// Until an empty budget is full.
    package let windowSeconds: Int

    init(_ rate: BudgetRate, left: Double, retryAfter: Double) {
        retryAfterSeconds = max(1, Self.whole(retryAfter - 1e-6, .up))
        leftMilliseconds = Self.whole(left * 1000, .down)
        depthMilliseconds = Self.whole(rate.depth * 1000, .down)
        windowSeconds = max(1, Self.whole(rate.depth / rate.refill, .up))
    }

    private static func whole(_ number: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(held: number.rounded(rule), in: 0...1_000_000_000)
    }
}

/// The work of one request: what its client was charged, and what it used. Settled when it is closed or released.
package final class WorkBill: Sendable {
    private struct State {
        /// Seconds.
        var charged = 0.0
        var predicted = 0.0
        var used = 0.0
        var refusal: BudgetRefusal?
    }

    private let budgets: ClientBudgets
    private let client: BudgetClient
    private let state = Mutex(State())

    package init(_ budgets: ClientBudgets, _ client: BudgetClient) {
        self.budgets = budgets
        self.client = client
    }

    deinit { close() }

    /// Why the price was not paid, if so.
    package var refusal: BudgetRefusal? { state.withLock { $0.refusal } }

    /// Before work whose price is not known yet.
    package func open() throws(BudgetRefusal) {
        if let refusal = raise(to: ClientBudgets.entryPrice) { throw refusal }
    }

    /// Once the price is known; false, and the reason is kept, where too little is left. The highest price counts.
    package func predict(microseconds: Int) -> Bool {
        let price = Double(microseconds) / 1e6
        guard let refusal = raise(to: price) else {
            state.withLock { $0.predicted = max($0.predicted, price) }
            return true
        }
        state.withLock { $0.refusal = refusal }
        return false
    }

    package func used(microseconds: Int) { state.withLock { $0.used += Double(max(0, microseconds)) / 1e6 } }

    /// Charges what was used in place of what was predicted. Work may go on afterwards.
    ///
    /// Predictions are right within a factor of two, and what threads of libraries use is not seen: work that was begun costs
    /// at least half of its prediction.
    package func close() {
        let difference = state.withLock { state in
            defer { (state.charged, state.predicted, state.used) = (0, 0, 0) }
            let least = state.used > 0 ? state.predicted / 2 : 0
            return max(state.used, least) - state.charged
        }
        if difference != 0 { budgets.settle(difference, for: client) }
    }

    /// Counts what threads use beside their time, and lets nothing be fetched while the budget is empty.
    package var meter: WorkMeter {
        // Fetches may end when nobody waits for them any more.
        WorkMeter(
            report: { [self] use in
                switch use {
                case .fetched(let byteCount), .written(let byteCount):
                    budgets.settle(Double(byteCount) / ClientBudgets.bytesPerSecond, for: client)
                case .processorTime(let microseconds): used(microseconds: microseconds)
                }
            }, admit: { [self] in mayFetch() })
    }

    /// Opens the bill; where that is refused, the reason is kept.
    private func mayFetch() -> Bool {
        guard let refusal = raise(to: ClientBudgets.entryPrice) else { return true }
        state.withLock { $0.refusal = refusal }
        return false
    }

    /// Runs `work` on this thread, for this bill.
    package func measure<Value>(_ work: () -> Value) -> Value {
        let began = ThreadTime.microseconds
        defer { used(microseconds: ThreadTime.microseconds - began) }
        return WorkMeter.$current.withValue(meter) { work() }
    }

    private func raise(to price: Double) -> BudgetRefusal? {
        // Only its own request uses a bill, one thread at a time.
        let charged = state.withLock { $0.charged }
        guard price > charged else { return nil }
        if let refusal = budgets.take(price, charged: charged, from: client) { return refusal }
        state.withLock { $0.charged = price }
        return nil
    }
}
