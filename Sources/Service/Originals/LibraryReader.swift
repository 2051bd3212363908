package import AssetLibrary
package import Reactor
import Synchronization

/// Reads files of the library whose content is not known yet, on threads of its own: once for all who wait, and no loop waits
/// for a disk.
///
/// Reading is apart from rendering: what is in a cache is answered though all workers are busy.
package final class LibraryReader: Sendable {
    private let library: FolderLibrary
    private let threads: WorkerPool
    private let waiting = Mutex<[String: [@Sendable () -> Void]]>([:])

    /// How many threads there are.
    package static let threadCount = 2
    /// How many files can wait to be read.
    private static let queueLimit = 4096

    /// Starts the threads.
    package init(_ library: FolderLibrary) throws(Errno) {
        self.library = library
        threads = try WorkerPool(name: "library", threadCount: Self.threadCount, queueLimit: Self.queueLimit)
    }

    /// Ends the threads, when what is being read is read.
    package func stop() { threads.shutdown() }

    /// Whether the state of the file with this id can be told without reading it; also where there is none.
    package func isKnown(_ id: String) -> Bool { (try? library.isStateKnown(of: id)) ?? true }

    /// Calls `done` on one of the threads when the file is read; false, and nothing is called, where it need not be.
    ///
    /// - Throws: that too much waits already.
    package func read(_ id: String, done: @escaping @Sendable () -> Void) throws(OriginalError) -> Bool {
        if isKnown(id) { return false }
        let isFirst = waiting.withLock { waiting in
            waiting[id, default: []].append(done)
            return waiting[id]?.count == 1
        }
        guard isFirst else { return true }
        let isQueued = threads.submit { [self] in
            // What goes wrong is found again by who looks at the file.
            _ = try? library.state(of: id)
            for done in take(id) { done() }
        }
        if isQueued { return true }
        // Whoever came since then looks for themselves.
        for done in take(id).dropFirst() { done() }
        throw .busy
    }

    private func take(_ id: String) -> [@Sendable () -> Void] {
        waiting.withLock { $0.removeValue(forKey: id) ?? [] }
    }
}
