/// Besides hang-ups and errors.
package struct PollInterest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let read = PollInterest(rawValue: 1)
    package static let write = PollInterest(rawValue: 2)
}

package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Bytes, connections, the end of stream or the error.
    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// Bytes may still wait before the end.
    package static let peerClosed = Readiness(rawValue: 4)
    /// The next transfer tells how.
    package static let failed = Readiness(rawValue: 8)

    // Three questions of every event: in other modules `contains` goes through a table of witnesses.
    package var isReadable: Bool { contains(.readable) }
    package var isPeerClosed: Bool { contains(.peerClosed) }
    package var isFailed: Bool { contains(.failed) }
}

struct PollerEvent {
    var key: UInt64
    var readiness: Readiness
}

/// One per loop, used on its thread only.
protocol Poller: AnyObject {
    /// Whether an event is told once per change.
    var isEdgeTriggered: Bool { get }
    func add(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno)
    /// Tells again what is ready.
    func modify(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno)
    /// A descriptor that is closed or unknown is no error.
    func remove(_ descriptor: Int32)
    /// Fills the front of `events`; returns 0 when the time is over (negative: no limit) or a signal came.
    func wait(timeoutMilliseconds: Int32, into events: UnsafeMutableBufferPointer<PollerEvent>) throws(Errno) -> Int
}

package enum PollerKind: Sendable, CaseIterable {
    /// Edge-triggered epoll.
    case platform
    /// POSIX `poll`: O(descriptors) a turn and level-triggered, so handlers are told again as long as a state lasts.
    case portable
}
