import HTTPServer
import Reactor
import Synchronization

/// What was kept of the content of one request of `/kept/…`, in a file without a name.
package final class KeptContent: Sendable {
    /// The server's side of it: gone when no more comes.
    final class Keeper: ContentKeeper {
        private let content: KeptContent

        init(_ content: KeptContent) { self.content = content }

        deinit { content.state.withLock { $0.isOver = true } }

        func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
            try content.file.write(bytes, at: offset)
            content.state.withLock { state in state.pieces.append(offset..<(offset + bytes.count)) }
        }
    }

    private struct State {
        var pieces: [Range<Int>] = []
        var isOver = false
    }

    private let file: SharedFile
    private let state = Mutex(State())

    init?() {
        do throws(Errno) {
            file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: 0)
        } catch {
            return nil
        }
    }

    /// Where the pieces lie that were written so far, in the order of their writing.
    package var pieces: [Range<Int>] { state.withLock { $0.pieces } }

    /// Whether the server has let go of its keeper.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// The bytes so far.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: pieces.last?.upperBound ?? 0)
        let count = bytes.withUnsafeMutableBytes { buffer -> Int in
            do throws(Errno) { return try file.read(into: buffer, from: 0) } catch { return 0 }
        }
        return Array(bytes.prefix(count))
    }
}
