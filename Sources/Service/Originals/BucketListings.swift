import Bytes
import Origin
import Reactor
import Synchronization

/// The listings that a bucket is asked for: few at once, so that uploads keep their connections, and the others in line. Equal
/// ones in line are asked for once; one that was begun may lack what was stored since. What nobody waits for is not asked for,
/// and cancelled.
final class BucketListings: Sendable {
    typealias Done = @Sendable (Result<S3Listing, OriginalError>) -> Void
    /// Begins one; the result cancels it, and its completion is called all the same.
    typealias Start =
        @Sendable (_ asked: Asked, _ completion: @escaping @Sendable (Result<S3Listing, OriginalError>) -> Void) ->
        (@Sendable () -> Void)?

    struct Asked: Hashable, Sendable {
        let after: ExactText?
        let limit: Int
    }

    private struct Waiter: Sendable {
        let client: ClientNetwork?
        let done: Done
    }

    private struct Listing: Sendable {
        let asked: Asked
        var waiters: [UInt64: Waiter] = [:]
        var hasBegun = false
        var cancel: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var listings: [UInt64: Listing] = [:]
        var line: [UInt64] = []
        var runningCount = 0
        var waiterCounts: [ClientNetwork?: Int] = [:]
        var waiterCount = 0
        /// Of listings and waiters.
        var lastNumber: UInt64 = 0

        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }

        mutating func forget(_ waiter: Waiter) {
            waiterCount -= 1
            let left = waiterCounts[waiter.client, default: 0] - 1
            waiterCounts[waiter.client] = left > 0 ? left : nil
        }
    }

    /// At once.
    static let runningLimit = 4
    /// Requests that wait; of one client at most a quarter.
    static let waiterLimit = 128
    static let clientLimit = waiterLimit / 4

    private let start: Start
    private let state = Mutex(State())

    init(start: @escaping Start) { self.start = start }

    /// Calls `done` once, on any thread, unless the result is called first, because the client has left.
    /// - Throws: `.busy`.
    func list(
        _ asked: Asked, for client: ClientNetwork?, done: @escaping Done
    ) throws(OriginalError) -> @Sendable () -> Void {
        let place = state.withLock { state -> (listing: UInt64, waiter: UInt64)? in
            guard state.waiterCount < Self.waiterLimit, state.waiterCounts[client, default: 0] < Self.clientLimit
            else { return nil }
            state.waiterCount += 1
            state.waiterCounts[client, default: 0] += 1
            let waiter = state.nextNumber()
            let equal = state.line.first { state.listings[$0]?.asked == asked }
            let number = equal ?? state.nextNumber()
            if equal == nil {
                state.listings[number] = Listing(asked: asked)
                state.line.append(number)
            }
            state.listings[number]?.waiters[waiter] = Waiter(client: client, done: done)
            return (number, waiter)
        }
        guard let place else { throw .busy }
        beginNext()
        return { [self] in leave(place.listing, place.waiter) }
    }

    private func beginNext() {
        while let (number, asked) = takeNext() {
            let cancel = start(asked) { [self] in ended(number, $0) }
            let isUnwanted = state.withLock { state -> Bool in
                state.listings[number]?.cancel = cancel
                return state.listings[number]?.waiters.isEmpty ?? false
            }
            if isUnwanted { cancel?() }
        }
    }

    private func takeNext() -> (UInt64, Asked)? {
        state.withLock { state -> (UInt64, Asked)? in
            guard state.runningCount < Self.runningLimit, let number = state.line.first,
                let asked = state.listings[number]?.asked
            else { return nil }
            state.line.removeFirst()
            state.listings[number]?.hasBegun = true
            state.runningCount += 1
            return (number, asked)
        }
    }

    private func ended(_ number: UInt64, _ result: Result<S3Listing, OriginalError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard let listing = state.listings.removeValue(forKey: number) else { return [] }
            state.runningCount -= 1
            let waiters = listing.waiters.sorted { $0.key < $1.key }.map(\.value)
            for waiter in waiters { state.forget(waiter) }
            return waiters
        }
        for waiter in waiters { waiter.done(result) }
        beginNext()
    }

    private func leave(_ number: UInt64, _ waiter: UInt64) {
        // The waiter's closure may hold anything, so it is released after the lock.
        let left = state.withLock { state -> (gone: Waiter, cancel: (@Sendable () -> Void)?)? in
            guard let gone = state.listings[number]?.waiters.removeValue(forKey: waiter) else { return nil }
            state.forget(gone)
            guard let listing = state.listings[number], listing.waiters.isEmpty else { return (gone, nil) }
            if listing.hasBegun { return (gone, listing.cancel) }
            state.listings[number] = nil
            state.line.removeAll { $0 == number }
            return (gone, nil)
        }
        left?.cancel?()
    }
}
