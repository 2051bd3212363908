import Bytes
import Reactor

// Heads of pipelined answers are written one after the other into one array, contents stay where they are: a batch of
// cached answers goes out by one gathering send, and nothing but the heads is copied.

/// What waits to be sent on one connection, in order.
struct OutputQueue {
    private enum Segment {
        /// A range of `octets`.
        case octets(Range<Int>)
        case content(SharedBytes, from: Int)
    }

    private var octets: [UInt8] = []
    private var segments: [Segment] = []
    private var firstSegment = 0
    /// How many octets the socket has taken so far.
    private(set) var sentByteCount = 0

    /// Whether all was sent.
    var isEmpty: Bool { firstSegment == segments.count }

    /// How many pieces wait.
    var count: Int { segments.count - firstSegment }

    /// Appends what `write` adds to the array of heads.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        let start = octets.count
        write(&octets)
        if case .octets(let range) = segments.last, range.upperBound == start, count > 0 {
            segments[segments.count - 1] = .octets(range.lowerBound..<octets.count)
        } else if octets.count > start {
            segments.append(.octets(start..<octets.count))
        }
    }

    /// Appends content, which is shared and not copied.
    mutating func append(_ content: SharedBytes) {
        if content.count > 0 { segments.append(.content(content, from: 0)) }
    }

    /// Drops everything.
    mutating func removeAll() {
        octets.removeAll(keepingCapacity: octets.capacity <= 16384)
        segments.removeAll(keepingCapacity: true)
        firstSegment = 0
    }

    /// Sends as much as the socket takes; `.bytes` means that all is gone.
    mutating func send(to socket: borrowing FileDescriptor) -> TransferResult {
        let before = sentByteCount
        while !isEmpty {
            // After a short send the socket is asked once more, so that the edge of its becoming writable is not missed.
            let result = gather(min(count, FileDescriptor.gatherLimit), to: socket)
            guard case .bytes(let sent) = result else { return result }
            sentByteCount &+= sent
            consume(sent)
        }
        removeAll()
        return .bytes(sentByteCount &- before)
    }

    private func gather(_ limit: Int, to socket: borrowing FileDescriptor) -> TransferResult {
        withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: limit) { buffers in
            octets.withUnsafeBytes { heads in
                for index in 0..<limit {
                    let buffer =
                        switch segments[firstSegment + index] {
                        case .octets(let range): UnsafeRawBufferPointer(rebasing: heads[range])
                        // The segment holds the content until it is sent, so the pointer outlives this call.
                        case .content(let content, let from):
                            content.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[from...]) }
                        }
                    buffers.initializeElement(at: index, to: buffer)
                }
                return socket.send(gathering: UnsafeBufferPointer(buffers))
            }
        }
    }

    private mutating func consume(_ byteCount: Int) {
        var left = byteCount
        while left > 0, firstSegment < segments.count {
            switch segments[firstSegment] {
            case .octets(let range):
                let taken = min(left, range.count)
                left -= taken
                segments[firstSegment] = .octets((range.lowerBound + taken)..<range.upperBound)
                if taken < range.count { return }
            case .content(let content, let from):
                let taken = min(left, content.count - from)
                left -= taken
                segments[firstSegment] = .content(content, from: from + taken)
                if from + taken < content.count { return }
            }
            firstSegment += 1
        }
    }
}
