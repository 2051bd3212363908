import Synchronization

/// Where the policy of answers is posted when the configuration is read again. Loops look at a number with each request,
/// and at the board only when that has changed.
final class PolicyBoard: Sendable {
    private let posted: Mutex<AnswerPolicy>
    private let edition = Atomic<Int>(0)

    init(_ policy: AnswerPolicy) {
        posted = Mutex(policy)
    }

    func post(_ policy: AnswerPolicy) {
        posted.withLock { $0 = policy }
        edition.add(1, ordering: .acquiringAndReleasing)
    }

    fileprivate func current() -> (policy: AnswerPolicy, edition: Int) {
        // In this order: a policy that is posted in between is read again with the next request.
        let edition = edition.load(ordering: .acquiring)
        return (posted.withLock { $0 }, edition)
    }

    fileprivate func isCurrent(_ edition: Int) -> Bool { self.edition.load(ordering: .acquiring) == edition }
}

/// A loop's copy of the policy.
struct PolicyReader {
    private let board: PolicyBoard
    private var copy: (policy: AnswerPolicy, edition: Int)

    init(_ board: PolicyBoard) {
        self.board = board
        copy = board.current()
    }

    /// The policy that holds now.
    var policy: AnswerPolicy {
        mutating get {
            if !board.isCurrent(copy.edition) { copy = board.current() }
            return copy.policy
        }
    }
}
