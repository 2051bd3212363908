import Bytes
import HTTPMessage
import Reactor

/// In memory up to a bound and beyond it into a file, a buffer at a time; or, as its rule says, in memory or by a keeper.
final class ContentIntake {
    enum Turn {
        case needsMore
        /// The buffer, or the rest of stored content, has to be written: write `takePart()`, then call `stored`.
        case needsStoring
        case complete(RequestContent)
    }

    /// Bytes of the content on their way to the disk.
    struct Part: Sendable {
        let bytes: [UInt8]
        let offset: Int
        /// The file of the parts before; nil if it is not made yet or there is a keeper.
        let file: SharedFile?
        let keeper: (any ContentKeeper)?
    }

    private let byteLimit: Int
    private let keeper: (any ContentKeeper)?
    private let bufferLimit: Int
    private let canStore: Bool
    private let share: ContentMemory.Share?
    private var reader: ContentReader
    private var buffer: [UInt8] = []
    private var byteCount = 0
    private var isComplete = false
    private var spool: SharedFile?

    init(_ rule: ContentRule, keeper: (any ContentKeeper)? = nil, _ framing: Framing, settings: ServerSettings) {
        byteLimit = rule.byteLimit
        self.keeper = keeper
        bufferLimit = max(1, settings.contentBufferByteCount)
        share = rule.memory
        canStore = keeper != nil || share == nil && settings.spoolFolder != nil
        reader = ContentReader(framing, limits: settings.limits)
        // Room that counts is not taken before the bytes are there.
        let limit = share?.freeByteCount ?? bufferLimit
        if case .length(let count) = framing { buffer.reserveCapacity(min(count, limit)) }
    }

    /// Reads until the buffer is full; returns how many bytes were taken, framing included.
    func consume(_ bytes: RawSpan) throws(RequestFailure) -> Int {
        var offset = 0
        while !isComplete {
            // No byte will come to end content of known length, so a full buffer asks the reader without bytes.
            switch reader.read(bytes.extracting(offset..<(isFull ? offset : bytes.byteCount))) {
            case .needMore(let count): return offset + count
            case .content(let range, let count):
                byteCount += range.count
                guard byteCount <= byteLimit else {
                    byteCount -= range.count
                    throw .contentTooLarge(limit: byteLimit)
                }
                bytes.extracting((offset + range.lowerBound)..<(offset + range.upperBound)).withUnsafeBytes {
                    buffer.append(contentsOf: $0)
                }
                if let share {
                    guard share.grow(to: buffer.count) else { throw .contentMemoryFull }
                } else if !canStore, buffer.count > bufferLimit {
                    throw .contentTooLarge(limit: bufferLimit)
                }
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

    var turn: Turn {
        if let keeper, isComplete, buffer.isEmpty { return .complete(.kept(keeper, byteCount: byteCount)) }
        if keeper == nil, isComplete, spool == nil { return .complete(buffer.isEmpty ? .none : .bytes(collected)) }
        if isComplete, buffer.isEmpty, let spool { return .complete(.file(spool.resized(to: byteCount))) }
        return isComplete || isFull ? .needsStoring : .needsMore
    }

    /// Holds its share of the memory as long as the content lives.
    private var collected: SharedBytes {
        let bytes = SharedBytes(buffer)
        guard let share else { return bytes }
        return bytes.withUnsafeBytes { buffer in
            SharedBytes(
                adopting: buffer.baseAddress, count: buffer.count,
                release: { _ in withExtendedLifetime((bytes, share)) {} })
        }
    }

    func takePart() -> Part {
        let bytes = buffer
        buffer = []
        return Part(bytes: bytes, offset: byteCount - bytes.count, file: spool, keeper: keeper)
    }

    /// The part was written, to `file` unless there is a keeper.
    func stored(in file: SharedFile?) { spool = file }

    /// What a keeper must still get when no more content comes.
    func takeRest() -> Part? { keeper == nil || buffer.isEmpty ? nil : takePart() }
}
