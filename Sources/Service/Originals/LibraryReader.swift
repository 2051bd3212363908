package import AssetLibrary
import Bytes
package import Reactor
import Synchronization

/// Reads files of the library whose content is not known yet, on threads of its own: once for all who wait, so that no
/// loop waits for a disk, and what is cached is answered though all workers are busy.
package final class LibraryReader: Sendable {
    private let library: FolderLibrary
    private let threads: WorkerPool
    private let waiting = Mutex<[ExactText: [@Sendable () -> Void]]>([:])

    package static let threadCount = 2
    private static let queueLimit = 4096

    package init(_ library: FolderLibrary) throws(Errno) {
        self.library = library
        threads = try WorkerPool(name: "library", threadCount: Self.threadCount, queueLimit: Self.queueLimit)
    }

    /// Waits for what is being read.
    package func stop() { threads.shutdown() }

    /// Whether the state can be told without reading the file; true where there is none.
    package func isKnown(_ id: String) -> Bool { (try? library.isStateKnown(of: id)) ?? true }

    /// Calls `done` on one of the threads when the file is read; false, and no call, where that is not needed.
    /// - Throws: that too much waits already.
    package func read(_ id: String, done: @escaping @Sendable () -> Void) throws(OriginalError) -> Bool {
        if isKnown(id) { return false }
        let isFirst = waiting.withLock { waiting in
            waiting[ExactText(id), default: []].append(done)
            return waiting[ExactText(id)]?.count == 1
        }
        guard isFirst else { return true }
        let isQueued = threads.submit { [self] in
            // Code that reads the file later gets the same error.
            _ = try? library.state(of: id)
            for done in take(id) { done() }
        }
        if isQueued { return true }
        // The others look for themselves.
        for done in take(id).dropFirst() { done() }
        throw .busy
    }

    private func take(_ id: String) -> [@Sendable () -> Void] {
        waiting.withLock { $0.removeValue(forKey: ExactText(id)) ?? [] }
    }
}
