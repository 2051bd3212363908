import Glibc
import Reactor

/// The client's end of a connection; never blocks.
final class PlayedClient {
    private var socket: FileDescriptor?
    private var outgoing: [UInt8] = []
    private var reader = AnswerReader()
    /// Whether it takes what comes.
    var reads = true
    /// Whether it did at all times, and did not go away.
    private(set) var isPatient = true
    private(set) var hasEnded = false
    private(set) var receivedByteCount = 0
    private var buffer = [UInt8](repeating: 0, count: 16384)

    init(_ socket: consuming FileDescriptor) { self.socket = consume socket }

    var finalCount: Int { reader.finalCount }
    var isBetweenAnswers: Bool { reader.isBetweenAnswers }
    var interimCount: Int { reader.interimCount }

    func say(_ bytes: [UInt8]) { outgoing += bytes }

    func stopReading() {
        reads = false
        isPatient = false
    }

    /// Ends its side; what it has not sent yet is not sent any more.
    func endSending() {
        outgoing = []
        hasEnded = true
        if let number = socket?.rawValue { _ = shutdown(number, Int32(SHUT_WR)) }
    }

    func close() {
        isPatient = false
        socket = nil
        outgoing = []
    }

    /// Moves bytes both ways as far as they go; whether any did.
    func pump() throws(BrokenInvariant) -> Bool {
        guard let number = socket?.rawValue else { return false }
        var hasMoved = false
        while !outgoing.isEmpty, !hasEnded {
            let count = outgoing.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            outgoing.removeFirst(count)
            hasMoved = true
        }
        guard reads else { return hasMoved }
        while case let count = recv(number, &buffer, buffer.count, 0), count > 0 {
            receivedByteCount += count
            hasMoved = true
            try reader.read(buffer[..<count])
        }
        return hasMoved
    }
}
