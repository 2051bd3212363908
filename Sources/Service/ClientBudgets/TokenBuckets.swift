package import Reactor

/// How fast a budget refills and how much it holds, in seconds of processor time.
package struct BudgetRate: Sendable, Equatable {
    /// A second, above 0.
    package let refill: Double
    /// Of a full bucket, above 0.
    package let depth: Double

    package init?(refill: Double, depth: Double) {
        guard refill.isFinite, depth.isFinite, refill > 0, depth > 0 else { return nil }
        (self.refill, self.depth) = (refill, depth)
    }
}

/// A token bucket for each client (generic cell rate algorithm): one instant for each, at which its bucket is full again.
///
/// A client that is not in the table has a full bucket, so a client that sends nothing for long enough is removed. The table
/// holds at most `clientLimit` clients; beyond it, of a few the one that is nearest to a full bucket leaves, which forgives
/// it least. Its owner guards it. O(1), as the table is searched for full buckets only once for as many clients as it holds.
package struct TokenBuckets<Client: Hashable & Sendable>: Sendable {
    private let rate: BudgetRate
    private let clientLimit: Int
    private var fullAt: [Client: MonotonicInstant] = [:]
    /// Clients that may come before the next search.
    private var untilSweep = 0

    package init(_ rate: BudgetRate, clientLimit: Int) {
        self.rate = rate
        self.clientLimit = max(1, clientLimit)
    }

    package var count: Int { fullAt.count }

    package enum Verdict: Equatable, Sendable {
        /// Charged; `left` remains.
        case allowed(left: Double)
        /// Too little is left; there will be enough after `retryAfter` seconds.
        case refused(left: Double, retryAfter: Double)
    }

    /// Raises what `client` was charged from `charged` to `price`, if its bucket has the difference. A price above the
    /// depth wants a full bucket and leaves a debt: otherwise it could never be paid.
    package mutating func take(
        _ price: Double, charged: Double = 0, from client: Client, at now: MonotonicInstant
    ) -> Verdict {
        let left = self.left(of: client, at: now) + charged
        let wanted = min(max(0, price), rate.depth)
        // Sums of fractions are not exact.
        guard left >= wanted - 1e-9 else { return .refused(left: left, retryAfter: (wanted - left) / rate.refill) }
        charge(price - charged, to: client, at: now)
        return .allowed(left: left - price)
    }

    /// Charges what was used beyond what was charged; a negative amount gives back.
    package mutating func settle(_ difference: Double, for client: Client, at now: MonotonicInstant) {
        charge(difference, to: client, at: now)
    }

    /// Negative after a debt.
    package func left(of client: Client, at now: MonotonicInstant) -> Double {
        guard let full = fullAt[client], full > now else { return rate.depth }
        return rate.depth - Self.seconds(full - now) * rate.refill
    }

    private mutating func charge(_ amount: Double, to client: Client, at now: MonotonicInstant) {
        guard amount.isFinite, amount != 0 else { return }
        let known = fullAt[client]
        let start = max(now, known ?? now)
        // A year of debt is as good as for ever.
        let full = start + .seconds(min(max(amount / rate.refill, -31_536_000), 31_536_000))
        guard full > now else {
            fullAt[client] = nil
            return
        }
        if known == nil, fullAt.count >= clientLimit { makeRoom(at: now) }
        fullAt[client] = full
    }

    private mutating func makeRoom(at now: MonotonicInstant) {
        untilSweep -= 1
        if untilSweep <= 0 {
            untilSweep = clientLimit
            fullAt = fullAt.filter { $0.value > now }
        }
        guard fullAt.count >= clientLimit, let nearest = fullAt.prefix(16).min(by: { $0.value < $1.value }) else {
            return
        }
        fullAt[nearest.key] = nil
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
