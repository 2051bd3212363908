import Synchronization

/// What a server counts, for the metrics and for draining. Shared by all loops.
package final class ServerStatistics: Sendable {
    private let open = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let turnedAway = Atomic<Int>(0)
    private let acceptFailures = Atomic<Int>(0)
    private let drainingLoops = Atomic<Int>(0)

    /// All zero.
    package init() {}

    /// Connections open now.
    package var openConnectionCount: Int { open.load(ordering: .acquiring) }
    /// Connections accepted since the start.
    package var acceptedConnectionCount: Int { accepted.load(ordering: .relaxed) }
    /// Connections answered 503 because too many were open.
    package var turnedAwayConnectionCount: Int { turnedAway.load(ordering: .relaxed) }
    /// Failed attempts to accept, for want of descriptors.
    package var acceptFailureCount: Int { acceptFailures.load(ordering: .relaxed) }

    /// Counts a connection unless `limit` are open; whether it may stay.
    func connectionOpened(limit: Int) -> Bool {
        accepted.add(1, ordering: .relaxed)
        guard open.add(1, ordering: .acquiringAndReleasing).newValue <= limit else {
            open.subtract(1, ordering: .acquiringAndReleasing)
            turnedAway.add(1, ordering: .relaxed)
            return false
        }
        return true
    }

    func connectionClosed() {
        open.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// A loop takes no more connections, and those it was dealt are counted.
    func loopDrains() {
        drainingLoops.add(1, ordering: .acquiringAndReleasing)
    }

    var drainingLoopCount: Int { drainingLoops.load(ordering: .acquiring) }

    func acceptFailed() {
        acceptFailures.add(1, ordering: .relaxed)
    }
}
