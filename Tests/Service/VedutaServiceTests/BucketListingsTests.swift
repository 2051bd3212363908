import Bytes
import Origin
import Reactor
import Synchronization
import Testing

@testable import Originals

/// Listings of a bucket, which clients ask for and leave.
@Suite(.timeLimit(.minutes(5))) struct BucketListingsTests {
    private static let mallory = ClientNetwork(ipv4: 1)
    private static let alice = ClientNetwork(ipv4: 2)

    /// What the bucket was asked for, in order.
    private final class Bucket: Sendable {
        private struct Exchange: Sendable {
            let limit: Int
            let complete: BucketListings.Done
            var isCancelled = false
        }

        private let exchanges = Mutex<[Exchange]>([])

        func start(_ asked: BucketListings.Asked, _ complete: @escaping BucketListings.Done) -> @Sendable () -> Void {
            let index = exchanges.withLock { exchanges in
                exchanges.append(Exchange(limit: asked.limit, complete: complete))
                return exchanges.count - 1
            }
            return { [self] in
                exchanges.withLock { $0[index].isCancelled = true }
                complete(.failure(.bucket(.cancelled)))
            }
        }

        func answer(_ index: Int) {
            let complete = exchanges.withLock { $0[index].complete }
            complete(.failure(.bucket(.notFound)))
        }

        var limits: [Int] { exchanges.withLock { $0.map(\.limit) } }
        var cancelledCount: Int { exchanges.withLock { $0.count(where: \.isCancelled) } }
    }

    private let bucket: Bucket
    private let listings: BucketListings
    private let answered = Answered()

    /// How many were answered.
    private final class Answered: Sendable {
        private let count = Mutex(0)
        func add() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }

    init() {
        let bucket = Bucket()
        self.bucket = bucket
        listings = BucketListings { bucket.start($0, $1) }
    }

    private func list(_ limit: Int, _ client: ClientNetwork) throws -> @Sendable () -> Void {
        let answered = answered
        return try listings.list(BucketListings.Asked(after: nil, limit: limit), for: client) { _ in answered.add() }
    }

    @Test func fourAreAskedForAtOnce_andEqualOnesInLineOnce() throws {
        for limit in [1, 1, 2, 3, 4, 4, 5] { _ = try list(limit, Self.mallory) }
        #expect(bucket.limits == [1, 1, 2, 3], "one that was begun is not joined")
        bucket.answer(0)
        #expect(bucket.limits == [1, 1, 2, 3, 4] && answered.value == 1)
        bucket.answer(4)
        #expect(bucket.limits == [1, 1, 2, 3, 4, 5] && answered.value == 3)
        for index in [1, 2, 3, 5] { bucket.answer(index) }
        #expect(answered.value == 7)
    }

    @Test func listingThatNobodyWaitsFor_isCancelled_orNotBegun() throws {
        let leaves = try (1...6).map { try list($0, Self.mallory) }
        leaves[4]()
        leaves[0]()
        #expect(bucket.limits == [1, 2, 3, 4, 6] && bucket.cancelledCount == 1)
        for leave in leaves { leave() }
        #expect(bucket.cancelledCount == 5 && answered.value == 0)
        _ = try list(9, Self.alice)
        #expect(bucket.limits.last == 9)
    }

    @Test func oneClient_hasAQuarterOfThePlaces_andGetsThemBack() throws {
        let leaves = try (1...32).map { try list($0, Self.mallory) }
        #expect(throws: OriginalError.busy) { _ = try list(33, Self.mallory) }
        let other = try list(33, Self.alice)
        other()
        leaves[31]()
        let last = try list(34, Self.mallory)
        #expect(throws: OriginalError.busy) { _ = try list(35, Self.mallory) }
        last()
        bucket.answer(0)
        _ = try list(36, Self.mallory)
    }
}
