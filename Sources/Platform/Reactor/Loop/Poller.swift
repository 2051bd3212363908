/// What a handler wants to hear of. Hang-ups and errors are always told.
package struct PollInterest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Bytes to receive, connections to accept, the peer's end of stream.
    package static let read = PollInterest(rawValue: 1)
    package static let write = PollInterest(rawValue: 2)
}

/// What happened at a descriptor.
package struct Readiness: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Receiving (or accepting) gives something: bytes, the end of stream or the error.
    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The peer sends no more; bytes may still wait before the end.
    package static let peerClosed = Readiness(rawValue: 4)
    /// The connection is broken or closed in both directions; the next transfer tells how.
    package static let failed = Readiness(rawValue: 8)
}

/// One ready descriptor, named by the key of its registration.
struct PollerEvent {
    var key: UInt64
    var readiness: Readiness
}

/// The seam to the operating system's readiness interface; one per loop, used on its thread only.
protocol Poller: AnyObject {
    /// Whether an event is told once per change rather than as long as the state lasts.
    var isEdgeTriggered: Bool { get }
    /// Begins to watch `descriptor`; events carry `key`.
    func add(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno)
    /// Changes what is watched. What is ready already is told again.
    func modify(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno)
    /// Ends watching. A descriptor that is closed or unknown is no error.
    func remove(_ descriptor: Int32)
    /// Waits up to `timeoutMilliseconds` (negative: without end) and writes what is ready to the front of `events`,
    /// which is not empty; returns how many. 0 when the time is over or a signal came.
    func wait(timeoutMilliseconds: Int32, into events: UnsafeMutableBufferPointer<PollerEvent>) throws(Errno) -> Int
}

/// Which poller a loop uses.
package enum PollerKind: Sendable, CaseIterable {
    /// The best of the platform: edge-triggered epoll on Linux.
    case platform
    /// POSIX `poll`: O(descriptors) a turn and level-triggered, so handlers are told again as long as a state lasts.
    case portable
}
