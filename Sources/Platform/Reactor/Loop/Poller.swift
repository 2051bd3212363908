import CLinux
import Glibc

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

/// Edge-triggered epoll: an event is told once per change. One per loop, used on its thread only.
@safe final class Poller {
    private let epoll: FileDescriptor
    private let ready: UnsafeMutableBufferPointer<clinux_ready>

    init() throws(Errno) {
        epoll = FileDescriptor(adopting: try systemCall { clinux_epoll_create() })
        unsafe ready = .allocate(capacity: Int(CLINUX_READY_LIMIT))
    }

    deinit { unsafe ready.deallocate() }

    func add(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno) {
        _ = try systemCall(.control) { clinux_epoll_add(epoll.rawValue, descriptor, interest.rawValue, key) }
    }

    /// Tells again what is ready.
    func modify(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno) {
        _ = try systemCall(.control) { clinux_epoll_modify(epoll.rawValue, descriptor, interest.rawValue, key) }
    }

    /// A descriptor that is closed or unknown is no error.
    func remove(_ descriptor: Int32) { _ = clinux_epoll_remove(epoll.rawValue, descriptor) }

    /// Fills the front of `events`; returns 0 when the time is over (negative: no limit) or a signal came.
    func wait(timeoutMilliseconds: Int32, into events: UnsafeMutableBufferPointer<PollerEvent>) throws(Errno) -> Int {
        let capacity = unsafe Int32(min(events.count, ready.count))
        let count = unsafe clinux_epoll_wait(epoll.rawValue, ready.baseAddress, capacity, timeoutMilliseconds)
        guard count >= 0 else {
            let code = errno
            if code == EINTR { return 0 }
            throw Errno(code: code)
        }
        for index in 0..<Int(count) {
            let event = unsafe ready[index]
            unsafe events.initializeElement(
                at: index, to: PollerEvent(key: event.key, readiness: Readiness(rawValue: event.flags)))
        }
        return Int(count)
    }
}
