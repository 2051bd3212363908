import Bytes
import Reactor

// Heads of pipelined answers follow each other in one array, and contents stay where they are: a batch of cached
// answers goes out by one gathering send that copies only heads. The kernel sends files.

/// The output of one connection, in order.
struct OutputQueue {
    enum Outcome: Equatable {
        case drained
        /// The socket takes no more for now.
        case blocked
        case paused
        /// The peer is gone, or a file is shorter than promised: the connection is useless.
        case gone
    }

    private enum Segment {
        case bytes(Range<Int>)
        case content(SharedBytes, Range<Int>)
        case file(SharedFile, Range<Int>)
    }

    /// Bytes of files sent in a row.
    static let turnByteCount = 1 << 20

    private var bytes: [UInt8] = []
    private var segments: [Segment] = []
    private var firstSegment = 0
    private(set) var sentByteCount = 0
    private(set) var appendedByteCount = 0

    var isEmpty: Bool { firstSegment == segments.count }
    var count: Int { segments.count - firstSegment }

    var hasStorage: Bool { bytes.capacity > 0 }

    /// Exchanges storage with `spare`, unless one of them has output, which must not change hands.
    mutating func takeStorage(of spare: inout OutputQueue) {
        guard segments.isEmpty, spare.segments.isEmpty else { return }
        swap(&bytes, &spare.bytes)
        swap(&segments, &spare.segments)
    }

    /// Leaves the storage of a queue without output to the empty `spare`; frees what `spare` does not need.
    mutating func leaveStorage(to spare: inout OutputQueue) {
        takeStorage(of: &spare)
        if hasStorage, segments.isEmpty { (bytes, segments) = ([], []) }
    }

    mutating func append(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        appendedByteCount += bytes.count - start
        if case .bytes(let range) = segments.last, range.upperBound == start, count > 0 {
            segments[segments.count - 1] = .bytes(range.lowerBound..<bytes.count)
        } else if bytes.count > start {
            segments.append(.bytes(start..<bytes.count))
        }
    }

    /// Shares content of known length without copying it.
    mutating func append(_ content: ResponseContent) {
        switch content {
        case .bytes(let bytes): append(.bytes(bytes, 0..<bytes.count))
        case .file(let file): append(.file(file, 0..<file.byteCount))
        case .parts(let parts): for part in parts { append(part) }
        case .stream: break
        }
    }

    private mutating func append(_ part: ContentPart) {
        guard part.byteCount > 0 else { return }
        appendedByteCount += part.byteCount
        switch part {
        case .bytes(let bytes, let range): segments.append(.content(bytes, range))
        case .file(let file, let range): segments.append(.file(file, range))
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 16384)
        segments.removeAll(keepingCapacity: segments.capacity <= 256)
        firstSegment = 0
    }

    /// Sends what the socket takes, at most one connection's turn.
    mutating func send(to socket: borrowing FileDescriptor) -> Outcome {
        var room = Self.turnByteCount
        while !isEmpty {
            // After a short send the socket is asked once more, so that the edge of becoming writable is not missed.
            let result: TransferResult
            if case .file(let file, let range) = segments[firstSegment] {
                guard room > 0 else { return .paused }
                result = socket.send(file: file, from: range.lowerBound, count: min(range.count, room))
                if case .bytes(let sent) = result { room -= sent }
            } else {
                result = gather(min(count, FileDescriptor.gatherLimit), to: socket)
            }
            switch result {
            case .bytes(let sent):
                sentByteCount &+= sent
                consume(sent)
            case .wouldBlock: return .blocked
            case .closed, .failed: return .gone
            }
        }
        removeAll()
        return .drained
    }

    /// Sends what is in memory before the next file.
    private func gather(_ limit: Int, to socket: borrowing FileDescriptor) -> TransferResult {
        withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: limit) { buffers in
            bytes.withUnsafeBytes { heads in
                var filled = 0
                var fileFollows = false
                while filled < limit, !fileFollows {
                    switch segments[firstSegment + filled] {
                    case .bytes(let range):
                        buffers.initializeElement(at: filled, to: UnsafeRawBufferPointer(rebasing: heads[range]))
                        filled += 1
                    // The segment holds the content until it is sent, so the pointer outlives this call.
                    case .content(let content, let range):
                        let buffer = content.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]) }
                        buffers.initializeElement(at: filled, to: buffer)
                        filled += 1
                    case .file: fileFollows = true
                    }
                }
                // A head alone, as of a 304, costs the kernel less without a list of buffers.
                if filled == 1, !fileFollows { return socket.send(buffers[0]) }
                return socket.send(
                    gathering: UnsafeBufferPointer(rebasing: buffers[..<filled]), moreFollows: fileFollows)
            }
        }
    }

    private mutating func consume(_ byteCount: Int) {
        var left = byteCount
        while left > 0, firstSegment < segments.count {
            let range: Range<Int>
            switch segments[firstSegment] {
            case .bytes(let bytes), .content(_, let bytes), .file(_, let bytes): range = bytes
            }
            guard left < range.count else {
                left -= range.count
                firstSegment += 1
                continue
            }
            let rest = (range.lowerBound + left)..<range.upperBound
            switch segments[firstSegment] {
            case .bytes: segments[firstSegment] = .bytes(rest)
            case .content(let content, _): segments[firstSegment] = .content(content, rest)
            case .file(let file, _): segments[firstSegment] = .file(file, rest)
            }
            return
        }
    }
}
