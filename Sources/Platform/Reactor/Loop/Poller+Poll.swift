import Glibc

/// POSIX `poll`, level-triggered, O(descriptors) a turn: for systems without epoll, and for tests.
final class PollPoller: Poller {
    private var descriptors: [pollfd] = []
    private var keys: [UInt64] = []
    private var positions: [Int32: Int] = [:]
    /// Where the next turn begins, so that a full event array starves nobody.
    private var start = 0

    var isEdgeTriggered: Bool { false }

    func add(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno) {
        guard positions[descriptor] == nil else { throw .alreadyExists }
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw Errno(code: errno) }
        positions[descriptor] = descriptors.count
        descriptors.append(pollfd(fd: descriptor, events: PollPoller.flags(interest), revents: 0))
        keys.append(key)
    }

    func modify(_ descriptor: Int32, _ interest: PollInterest, key: UInt64) throws(Errno) {
        guard let position = positions[descriptor] else { throw .noSuchEntry }
        descriptors[position].events = PollPoller.flags(interest)
        keys[position] = key
    }

    func remove(_ descriptor: Int32) {
        guard let position = positions.removeValue(forKey: descriptor) else { return }
        descriptors.swapAt(position, descriptors.count - 1)
        keys.swapAt(position, keys.count - 1)
        descriptors.removeLast()
        keys.removeLast()
        if position < descriptors.count { positions[descriptors[position].fd] = position }
    }

    func wait(timeoutMilliseconds: Int32, into events: UnsafeMutableBufferPointer<PollerEvent>) throws(Errno) -> Int {
        let count = nfds_t(descriptors.count)
        guard unsafe poll(&descriptors, count, timeoutMilliseconds) >= 0 else {
            let code = errno
            if code == EINTR { return 0 }
            throw Errno(code: code)
        }
        return unsafe collect(into: events)
    }

    private func collect(into events: UnsafeMutableBufferPointer<PollerEvent>) -> Int {
        guard !descriptors.isEmpty else { return 0 }
        var found = 0
        start %= descriptors.count
        for step in 0..<descriptors.count where found < events.count {
            let position = (start + step) % descriptors.count
            let readiness = PollPoller.readiness(descriptors[position].revents)
            if readiness.isEmpty { continue }
            unsafe events.initializeElement(at: found, to: PollerEvent(key: keys[position], readiness: readiness))
            found += 1
        }
        start &+= 1
        return found
    }

    /// The headers show `POLLRDHUP` only with `_GNU_SOURCE`.
    private static let peerClosedFlag: Int16 = 0x2000

    private static func flags(_ interest: PollInterest) -> Int16 {
        var flags: Int16 = 0
        if interest.contains(.read) { flags |= Int16(POLLIN) | peerClosedFlag }
        if interest.contains(.write) { flags |= Int16(POLLOUT) }
        return flags
    }

    private static func readiness(_ flags: Int16) -> Readiness {
        var readiness: Readiness = []
        if flags & Int16(POLLIN | POLLPRI) != 0 { readiness.insert(.readable) }
        if flags & Int16(POLLOUT) != 0 { readiness.insert(.writable) }
        if flags & peerClosedFlag != 0 { readiness.insert(.peerClosed) }
        if flags & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { readiness.insert(.failed) }
        return readiness
    }
}
