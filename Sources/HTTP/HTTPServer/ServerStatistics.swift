import Reactor
import Synchronization

/// Counts for limits, metrics and draining. Shared by all loops.
package final class ServerStatistics: Sendable {
    private let open = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let turnedAway = Atomic<Int>(0)
    private let closedIdle = Atomic<Int>(0)
    private let drainingLoops = Atomic<Int>(0)
    private let addresses = AddressCounts()

    package init() {}
    package var openConnectionCount: Int { open.load(ordering: .acquiring) }
    package var acceptedConnectionCount: Int { accepted.load(ordering: .relaxed) }
    /// Connections answered 503 or 429 because too many were open.
    package var turnedAwayConnectionCount: Int { turnedAway.load(ordering: .relaxed) }
    /// Connections that were idle, or had not finished a head, closed to make room for new ones.
    package var idleConnectionsClosedCount: Int { closedIdle.load(ordering: .relaxed) }

    enum Admission: Equatable { case admitted, full, addressFull }

    /// Counts a connection unless a limit is reached.
    func admit(_ peer: SocketAddress?, _ settings: ServerSettings) -> Admission {
        guard open.add(1, ordering: .acquiringAndReleasing).newValue <= settings.connectionLimit else {
            open.subtract(1, ordering: .acquiringAndReleasing)
            return .full
        }
        guard addresses.open(peer, limit: settings.connectionsPerAddress) else {
            open.subtract(1, ordering: .acquiringAndReleasing)
            return .addressFull
        }
        return .admitted
    }

    func connectionAccepted() { accepted.add(1, ordering: .relaxed) }
    func connectionTurnedAway() { turnedAway.add(1, ordering: .relaxed) }

    func connectionClosed(_ peer: SocketAddress?) {
        addresses.close(peer)
        open.subtract(1, ordering: .acquiringAndReleasing)
    }

    func idleConnectionsClosed(_ count: Int) { closedIdle.add(count, ordering: .relaxed) }

    /// A loop accepts no more and has counted what it was dealt.
    func loopDrains() { drainingLoops.add(1, ordering: .acquiringAndReleasing) }
    var drainingLoopCount: Int { drainingLoops.load(ordering: .acquiring) }
}
