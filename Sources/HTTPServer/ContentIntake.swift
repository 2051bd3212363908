import Bytes
import HTTPMessage
import Reactor

/// Takes in the content of one request: in memory up to a bound, beyond it into a file, a buffer at a time. While a buffer
/// is being written the connection does not read, so a client is never ahead of the disk.
final class ContentIntake {
    /// What to do when octets were taken.
    enum Turn {
        /// More octets are needed.
        case needsMore
        /// The buffer is full, or the rest of content that goes to a file: write `takeBuffer()`, then `stored`.
        case needsStoring
        case complete(RequestContent)
    }

    private let rule: ContentRule
    private let bufferLimit: Int
    private let canStore: Bool
    private var reader: ContentReader
    private var buffer: [UInt8] = []
    private var byteCount = 0
    private var isComplete = false
    private(set) var spool: SharedFile?

    init(_ rule: ContentRule, _ framing: Framing, settings: ServerSettings) {
        self.rule = rule
        bufferLimit = max(1, settings.contentBufferByteCount)
        canStore = settings.spoolFolder != nil
        reader = ContentReader(framing, limits: settings.limits)
        if case .length(let count) = framing { buffer.reserveCapacity(min(count, bufferLimit)) }
    }

    /// How many octets came so far, framing not counted.
    var receivedByteCount: Int { byteCount }

    /// Reads on until the buffer is full; returns how many octets were taken, framing included.
    func consume(_ bytes: RawSpan) throws(RequestFailure) -> Int {
        var offset = 0
        while !isComplete {
            // A full buffer takes no more, but content of known length may be at its end, and no octet will come to tell so.
            switch reader.read(bytes.extracting(offset..<(isFull ? offset : bytes.byteCount))) {
            case .needMore(let count): return offset + count
            case .content(let range, let count):
                byteCount += range.count
                guard byteCount <= rule.byteLimit else { throw .contentTooLarge(limit: rule.byteLimit) }
                bytes.extracting((offset + range.lowerBound)..<(offset + range.upperBound)).withUnsafeBytes {
                    buffer.append(contentsOf: $0)
                }
                guard canStore || buffer.count <= bufferLimit else { throw .contentTooLarge(limit: bufferLimit) }
                offset += count
            case .complete(let count):
                isComplete = true
                offset += count
            case .failed(let error): throw .refused(error)
            }
        }
        return offset
    }

    private var isFull: Bool { canStore && buffer.count >= bufferLimit }

    /// What is to be done now.
    var turn: Turn {
        if isComplete, spool == nil { return .complete(buffer.isEmpty ? .none : .bytes(SharedBytes(buffer))) }
        if isComplete, buffer.isEmpty, let spool { return .complete(.file(spool.resized(to: byteCount))) }
        return isComplete || isFull ? .needsStoring : .needsMore
    }

    /// The octets to write, which end at `receivedByteCount` of the file.
    func takeBuffer() -> [UInt8] {
        let octets = buffer
        buffer = []
        return octets
    }

    /// The buffer was written to `file`, which is that of the last time if there was one.
    func stored(in file: SharedFile) {
        spool = file
    }
}
