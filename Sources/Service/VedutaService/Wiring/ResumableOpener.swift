import AssetLibrary
import Logging
import Reactor
import ServiceConfiguration

/// Opens the folder of resumable uploads: at the start or, where another process has it or it cannot be used, as soon as it can.
///
/// Only a folder within that of the cache can be late. One within a folder of uploads is locked with that.
final class ResumableOpener: Sendable {
    private struct State {
        var uploads: ResumableUploads?
        var isEnding = false
    }

    /// Why the folder cannot be used, in words.
    private struct Refusal: Error { let cause: String }

    private static let retryInterval = Duration.seconds(1)

    private let state: Monitor<State>
    /// nil where there is no folder, or it was opened at the start.
    private let thread: OwnedThread?

    /// - Parameter wait: lets the server that has the folder end, and waits for that at the start.
    /// - Throws: also where this server is to end meanwhile.
    init(_ configuration: Configuration, _ log: Logger, clock: Clock, wait: UploadWait?) throws(ServiceError) {
        let state = Monitor(State())
        self.state = state
        guard let path = configuration.resumableFolder else {
            thread = nil
            return
        }
        let settings = ResumableSettings(
            path: path, byteLimit: configuration.uploadLimit, totalByteLimit: configuration.uploadTotal,
            lifetimeSeconds: configuration.uploadExpiry, clock: clock)
        let isApart = configuration.uploadFolder == nil
        do throws(Refusal) {
            let patience = Duration.seconds(configuration.drainTimeout + 20)
            let uploads = try isApart ? Self.openLocked(settings, wait, patience: patience) : Self.open(settings)
            state.withLock { $0.uploads = uploads }
        } catch {
            guard isApart else { throw .uploads(path: path, cause: error.cause) }
            if wait?.isOver() ?? false { throw .ended }
            log.warning("uploads cannot be resumed until \(path) can be used: \(error.cause)")
            thread = try Self.retry(settings, log, state)
            return
        }
        thread = nil
    }

    /// nil: this server has none, or cannot use their folder yet.
    var uploads: ResumableUploads? { state.withLock { $0.uploads } }

    /// Ends the thread, and waits for it.
    func close() {
        state.withLock { $0.isEnding = true }
        state.broadcast()
        thread?.join()
    }

    private static func retry(
        _ settings: ResumableSettings, _ log: Logger, _ state: Monitor<State>
    ) throws(ServiceError) -> OwnedThread {
        do throws(Errno) {
            return try OwnedThread.start(name: "uploads") {
                while state.wait(forAtMost: retryInterval, until: { $0.isEnding ? true : nil }) == nil {
                    guard let uploads = try? openLocked(settings) else { continue }
                    state.withLock { $0.uploads = uploads }
                    log.notice("uploads can be resumed: \(settings.path) can be used now")
                    return
                }
            }
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    private static func open(_ settings: ResumableSettings) throws(Refusal) -> ResumableUploads {
        do throws(ResumableError) { return try ResumableUploads(settings) } catch {
            throw Refusal(cause: StartCause.text(error))
        }
    }

    /// The same, with the folder kept for this process.
    private static func openLocked(
        _ settings: ResumableSettings, _ wait: UploadWait? = nil, patience: Duration = .zero
    ) throws(Refusal) -> ResumableUploads {
        var settings = settings
        do throws(Errno) {
            settings.lock = try lock(settings.path, wait, patience: patience)
        } catch {
            throw Refusal(cause: "\(error)")
        }
        guard settings.lock != nil else { throw Refusal(cause: StartCause.text(UploadError.inUse)) }
        return try open(settings)
    }

    /// nil: another process has it.
    private static func lock(_ path: String, _ wait: UploadWait?, patience: Duration) throws(Errno) -> ResumableLock? {
        try FileDescriptor.makeFolders(path)
        let file = try FileDescriptor.openFolder(path).openOrMakeFile(RelativePath("lock"))
        var deadline: MonotonicInstant?
        while try !file.tryLock() {
            let now = Clock.system.monotonic()
            guard let wait, now < deadline ?? .distantFuture, !wait.isOver() else { return nil }
            if deadline == nil {
                wait.begin()
                deadline = now + patience
            }
            Processors.pause(.milliseconds(20))
        }
        return ResumableLock(adopting: file)
    }
}
