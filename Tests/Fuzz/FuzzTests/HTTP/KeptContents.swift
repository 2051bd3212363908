import Reactor
import Synchronization

@testable import HTTPServer

/// Who keeps contents as they come, and what has become of them.
final class KeptContents: Sendable {
    private struct State {
        var madeCount = 0
        var endedCount = 0
        var hasGap = false
    }

    /// Counts the bytes of one content.
    final class Keeper: ContentKeeper {
        private let contents: KeptContents
        private let count = Mutex(0)

        init(_ contents: KeptContents) { self.contents = contents }

        deinit { contents.state.withLock { $0.endedCount += 1 } }

        var byteCount: Int { count.withLock { $0 } }

        func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
            let isNext = count.withLock { count in
                defer { count += bytes.count }
                return offset == count && !bytes.isEmpty
            }
            if !isNext { contents.state.withLock { $0.hasGap = true } }
        }
    }

    private let state = Mutex(State())

    func makeKeeper() -> Keeper {
        state.withLock { $0.madeCount += 1 }
        return Keeper(self)
    }

    /// Whether content is, or was, in the hands of a keeper.
    var areUsed: Bool { state.withLock { $0.madeCount > 0 } }

    /// What is wrong when nobody is connected any more; nil: nothing.
    var fault: BrokenInvariant? {
        state.withLock { state in
            if state.hasGap { return BrokenInvariant("a keeper got bytes out of their order") }
            if state.endedCount != state.madeCount { return BrokenInvariant("a keeper is not let go of") }
            return nil
        }
    }
}
