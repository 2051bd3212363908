package import Reactor

/// A thread that looks for changes of a library's files, so that no request has to.
package final class MapWatch: Sendable {
    /// The thread rests this many times as long as a look took: glyphs may be thousands of files on a slow disk.
    private static let restShare = 50

    private let isEnding: Monitor<Bool>
    private let thread: OwnedThread

    /// Refreshes `library` about once in `interval`, or less often if that is much work. Errors: `EAGAIN`.
    package init(_ library: MapLibrary, interval: Duration = .seconds(1)) throws(Errno) {
        let isEnding = Monitor(false)
        self.isEnding = isEnding
        thread = try OwnedThread.start(name: "map files") {
            let clock = ContinuousClock()
            var rest = interval
            while isEnding.wait(forAtMost: rest, until: { $0 ? true : nil }) == nil {
                rest = max(interval, clock.measure { library.refresh() } * Self.restShare)
            }
        }
    }

    /// Ends the thread and waits for it. Call it once.
    package func stop() {
        isEnding.withLock { $0 = true }
        isEnding.broadcast()
        thread.join()
    }
}
