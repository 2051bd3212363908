package import AssetLibrary
import Bytes
package import Reactor
import Synchronization

/// Reads files of the library whose content is not known yet, on threads of its own: once for all who wait, so that no
/// loop waits for a disk, and what is cached is answered though all workers are busy. Clients take turns, and a file is
/// read no further once nobody waits for it.
package final class LibraryReader: Sendable {
    /// Gets why the file is not read; nil: it was, or whoever reads it next learns why it cannot be.
    package typealias Done = @Sendable (OriginalError?) -> Void

    private struct Reading: Sendable {
        /// Set once nobody waits any more.
        let stop = SharedFlag()
        var waiters: [UInt64: Done] = [:]
    }

    private struct State: Sendable {
        var readings: [ExactText: Reading] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let library: FolderLibrary
    private let threads: WorkerPool
    private let state = Mutex(State())

    package static let threadCount = 2
    package static let usualQueueLimit = 4096

    package init(_ library: FolderLibrary, queueLimit: Int = usualQueueLimit) throws(Errno) {
        self.library = library
        threads = try WorkerPool(name: "library", threadCount: Self.threadCount, queueLimit: queueLimit)
    }

    /// Waits for what is being read.
    package func stop() { threads.shutdown() }

    /// Files that are read or wait for that.
    package var readingCount: Int { state.withLock { $0.readings.count } }

    /// Whether the state can be told without reading the file; true where there is none.
    package func isKnown(_ id: String) -> Bool { (try? library.isStateKnown(of: id)) ?? true }

    /// Calls `done` once, on one of the threads or on that of another caller, unless the result is called first, because nobody
    /// waits any more; nil, and no call, where the file need not be read. Its bytes are charged to the meter of the thread.
    /// - Throws: that too much waits already, or that the meter does not allow it.
    package func read(
        _ id: String, for client: ClientNetwork? = nil, done: @escaping Done
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        if isKnown(id) { return nil }
        let meter = WorkMeter.current
        if let meter, !meter.mayFetch() { throw .busy }
        let name = ExactText(id)
        let (stop, waiter, isFirst) = state.withLock { state -> (SharedFlag, UInt64, Bool) in
            state.lastWaiter += 1
            let isFirst = state.readings[name] == nil
            var reading = state.readings[name] ?? Reading()
            reading.waiters[state.lastWaiter] = done
            state.readings[name] = reading
            return (reading.stop, state.lastWaiter, isFirst)
        }
        let abandon: @Sendable () -> Void = { [self] in leave(waiter, of: name, stop) }
        guard isFirst else {
            threads.hasten(stop, for: client)
            return abandon
        }
        let isQueued = threads.submit(
            for: client, cancelledBy: stop, displaced: { [self] in end(name, stop, .busy) },
            { [self] in
                // Code that reads the file later gets the same error.
                if !stop.isSet {
                    try? library.readDigest(of: id) { byteCount in
                        meter?.add(.fetched(byteCount: byteCount))
                        return !stop.isSet
                    }
                }
                end(name, stop, nil)
            })
        guard isQueued else {
            abandon()
            end(name, stop, .busy)
            throw .busy
        }
        return abandon
    }

    private func leave(_ waiter: UInt64, of name: ExactText, _ stop: SharedFlag) {
        // What the waiter holds is released after the lock.
        let gone = state.withLock { state -> Done? in
            guard state.readings[name]?.stop === stop else { return nil }
            let gone = state.readings[name]?.waiters.removeValue(forKey: waiter)
            guard state.readings[name]?.waiters.isEmpty ?? false else { return gone }
            // Who asks now has it read anew.
            state.readings[name] = nil
            stop.set()
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    /// Tells all who wait.
    private func end(_ name: ExactText, _ stop: SharedFlag, _ refusal: OriginalError?) {
        let waiters = state.withLock { state -> [UInt64: Done] in
            guard let reading = state.readings[name], reading.stop === stop else { return [:] }
            state.readings[name] = nil
            return reading.waiters
        }
        for (_, done) in waiters.sorted(by: { $0.key < $1.key }) { done(refusal) }
    }
}
