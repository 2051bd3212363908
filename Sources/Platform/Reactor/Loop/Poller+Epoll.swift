import CLinux
import Glibc

@safe final class EpollPoller: Poller {
    private let epoll: FileDescriptor
    private let ready: UnsafeMutableBufferPointer<clinux_ready>

    init() throws(Errno) {
        epoll = FileDescriptor(adopting: try systemCall { clinux_epoll_create() })
        unsafe ready = .allocate(capacity: Int(CLINUX_READY_LIMIT))
    }

    deinit { unsafe ready.deallocate() }
    var isEdgeTriggered: Bool { true }

    func add(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno) {
        _ = try systemCall(.control) { clinux_epoll_add(epoll.rawValue, descriptor, interest.rawValue, key) }
    }

    func modify(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno) {
        _ = try systemCall(.control) { clinux_epoll_modify(epoll.rawValue, descriptor, interest.rawValue, key) }
    }

    func remove(_ descriptor: Int32) { _ = clinux_epoll_remove(epoll.rawValue, descriptor) }

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
