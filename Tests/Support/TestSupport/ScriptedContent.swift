import Bytes
import HTTPServer
package import Reactor
import Synchronization

/// The contents of `ScriptedServer`, beside plain bytes:
///
/// - `/echo/LIMIT`, `/required/LIMIT`, `/plain/LIMIT`: the content of the request, up to LIMIT bytes, from where it lies;
///   the second demands some, the third takes `text/plain` only;
/// - `/file/COUNT`, `/cut-file/COUNT`: a file, and one that has half the bytes that are promised;
/// - `/parts/COUNT`: the same bytes from memory, from a file and from memory again;
/// - `/stream/COUNT/PIECE`: made by another thread in pieces of PIECE bytes; `/stream-fails/COUNT/PIECE` breaks off at the
///   end, `/stream-stalls` never makes a piece.
package enum ScriptedContent {
    /// So many bytes, the first of an endless pattern that no shift or swap of blocks leaves as it is.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    // The length is a prime, so that it falls in step with no buffer.
    private static let block = (0..<65521).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B1) >> 24) }

    /// The rule of the resource at `path`.
    static func rule(for path: String) -> ContentRule? {
        let parts = path.split(separator: "/")
        guard let limit = parts.last.flatMap({ Int($0) }) else { return nil }
        switch parts.first {
        case "echo": return ContentRule(byteLimit: limit, isRequired: false)
        case "required": return ContentRule(byteLimit: limit)
        case "plain": return ContentRule(byteLimit: limit, mediaTypes: ["text/plain"])
        default: return nil
        }
    }

    /// The content of the resource with the path `parts`; nil when it is none of these.
    static func answer(
        _ parts: [String], _ content: RequestContent, _ maker: PieceMaker, _ onPull: @escaping @Sendable () -> Void,
        _ onAbandon: @escaping @Sendable () -> Void
    ) -> ResponseContent? {
        let numbers = parts.dropFirst().compactMap { Int($0) }
        let count = numbers.first ?? 0
        switch parts.first {
        case "echo", "required", "plain": return echo(content)
        case "file": return file(count, writing: count).map { .file($0) }
        case "cut-file": return file(count, writing: count / 2).map { .file($0) }
        case "parts": return self.parts(count)
        case "stream", "stream-fails":
            let isFailing = parts.first == "stream-fails"
            return .stream(maker.stream(count, numbers.last ?? 1, isFailing, onPull: onPull, onAbandon: onAbandon))
        case "stream-stalls": return .stream(ContentStream(pull: { _ in onPull() }, onAbandon: onAbandon))
        default: return nil
        }
    }

    private static func echo(_ content: RequestContent) -> ResponseContent {
        switch content {
        case .none: .bytes(SharedBytes([]))
        case .bytes(let bytes): .bytes(bytes)
        case .file(let file): .file(file)
        case .kept(_, let byteCount): .bytes(SharedBytes(Array("\(byteCount)".utf8)))
        }
    }

    /// A file without a name that should have `byteCount` bytes; nil when there is no room for it.
    package static func file(_ byteCount: Int, writing writtenByteCount: Int) -> SharedFile? {
        do throws(Errno) {
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: byteCount)
            try file.write(bytes(writtenByteCount), at: 0)
            return file
        } catch {
            return nil
        }
    }

    private static func parts(_ count: Int) -> ResponseContent? {
        guard let file = file(count, writing: count) else { return nil }
        let bytes = SharedBytes(bytes(count))
        let (first, second) = (count / 3, count - count / 3)
        return .parts([.bytes(bytes, 0..<first), .file(file, first..<second), .bytes(bytes, second..<count)])
    }
}

/// Makes the pieces of streamed contents, on a thread of its own.
final class PieceMaker: Sendable {
    private let pool: WorkerPool

    init() throws { pool = try WorkerPool(name: "pieces", threadCount: 1, queueLimit: 1024, stackByteCount: 1 << 20) }

    /// `count` bytes in pieces of `pieceByteCount`, and then the end or a failure.
    func stream(
        _ count: Int, _ pieceByteCount: Int, _ isFailing: Bool, onPull: @escaping @Sendable () -> Void,
        onAbandon: @escaping @Sendable () -> Void
    ) -> ContentStream {
        let bytes = ScriptedContent.bytes(count)
        let progress = Progress()
        let pool = pool
        return ContentStream(
            pull: { sink in
                onPull()
                _ = pool.submit {
                    let start = progress.take(pieceByteCount, of: count)
                    guard start < count else { return isFailing ? sink.fail() : sink.finish() }
                    sink.send(SharedBytes(Array(bytes[start..<min(start + pieceByteCount, count)])))
                }
            }, onAbandon: onAbandon)
    }

    func stop() { pool.shutdown() }

    private final class Progress: Sendable {
        private let made = Mutex(0)

        func take(_ byteCount: Int, of count: Int) -> Int {
            made.withLock { made in
                defer { made = min(made + byteCount, count) }
                return made
            }
        }
    }
}
