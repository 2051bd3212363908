import AccessLogging
import AssetLibrary
import Glibc
import ImageEngine
import ImageWorkers
import Logging
import Originals
import Reactor
import Renditions
import Sandbox
import ServiceConfiguration

extension OpenedService {
    static func startWorkers(_ configuration: Configuration) throws(ServiceError) -> WorkerPool {
        do throws(Errno) {
            return try WorkerPool(
                name: "worker", threadCount: Processors.count(configuration.workers), queueLimit: configuration.queue,
                byteLimit: MemoryBudget(configuration).claimedByteCount,
                // What renders freed lies between what is kept. What the start read of libraries is hardly needed again.
                quiet: WorkerPool.Quiet(after: .seconds(5)) {
                    Allocator.giveBackFree()
                    LoadedCode.giveBack()
                },
                // Drawing takes all processors that it gets; requests that need none of it are answered meanwhile.
                willStart: lowerPriority, willExit: { ImageEngine.threadWillExit() })
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    private static let lowerPriority = { @Sendable in ThreadPriority.lower(steps: 5) }

    /// For what is made ahead. libvips keeps threads that it starts, for workers too, so all have one priority.
    static func startIdleWorker(besides workers: WorkerPool) throws(ServiceError) -> IdleWorker {
        do throws(Errno) {
            return try IdleWorker(
                name: "idle", besides: workers, queueLimit: preparationLimit,
                willStart: lowerPriority, willExit: { ImageEngine.threadWillExit() })
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    /// Lists of `/srcset` whose images wait to be made: some 50 kB each.
    private static let preparationLimit = 64

    /// nil where all images are decoded in this process.
    static func startImageWorkers(
        _ configuration: Configuration, environment: [String: String], _ log: Logger, _ clock: Clock
    ) throws(ServiceError) -> ImageWorkers? {
        guard configuration.isolation != .off else { return nil }
        var settings = SandboxSettings(
            arguments: [ImageWorkerProcess.command], workerCount: Processors.count(configuration.workers))
        if let decoder = configuration.decoder { settings.executable = decoder }
        // A process that crashes is to be gone at once, not after it has printed where.
        settings.environment =
            ["SWIFT_BACKTRACE=enable=no"]
            + Self.workerVariables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        settings.resultByteLimit = max(256 << 20, configuration.memoryLimit)
        // Predictions are good to a factor of two, and libraries need some memory of their own.
        settings.memoryByteLimit = 2 * configuration.memoryLimit + (512 << 20)
        // Requests have ended by then; this is for work that nobody stops, such as tiles of maps.
        settings.timeLimit = .seconds(2 * configuration.renderTimeout)
        do throws(Errno) {
            return try ImageWorkers(
                settings, program: "veduta", enabling: configuration.formats, clock: clock,
                log: { log.warning("\($0)") })
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    /// Waits until the first process takes images, so that whoever cannot have any is told at the start.
    static func awaitFirst(_ workers: ImageWorkers?) throws(ServiceError) {
        do throws(Errno) {
            try workers?.awaitFirst()
        } catch {
            throw .decoding(cause: error == Errno(code: ECHILD) ? "it ends before it is ready" : "\(error)")
        }
    }

    /// What libraries read. Nothing else is passed on, as it may be secret.
    private static let workerVariables = [
        "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "TSAN_OPTIONS", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
        "XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME", "G_SLICE", "VIPS_NOVECTOR",
    ]

    /// Ends the workers if they are idle within two seconds: work that heeds its cancellation is.
    static func end(_ workers: WorkerPool, _ clock: Clock) -> Bool {
        let deadline = clock.monotonic() + .seconds(2)
        while !workers.load.isIdle {
            guard clock.monotonic() < deadline else { return false }
            Processors.pause(.milliseconds(10))
        }
        workers.shutdown()
        return true
    }

    /// nil without a folder.
    static func startReader(_ library: FolderLibrary?) throws(ServiceError) -> LibraryReader? {
        guard let library else { return nil }
        do throws(Errno) { return try LibraryReader(library) } catch { throw .threads(cause: "\(error)") }
    }

    static func openAccessLog(
        _ configuration: Configuration, _ metrics: ServiceMetrics
    ) throws(ServiceError) -> AccessLog {
        let log: AccessLog
        do throws(Errno) {
            log = try AccessLog(loopCount: Processors.count(configuration.loops), dropped: metrics.droppedAccessLines)
        } catch {
            throw .threads(cause: "\(error)")
        }
        do throws(ServiceError) {
            try reopen(log, configuration)
        } catch {
            log.close()
            throw error
        }
        return log
    }

    /// Opens the file of the access log again, also where nothing has changed.
    static func reopen(_ log: AccessLog, _ configuration: Configuration) throws(ServiceError) {
        do throws(Errno) {
            try log.open(configuration.accessLog, path: configuration.accessLogFile)
        } catch {
            throw .accessLog(path: configuration.accessLogFile ?? "standard output", cause: "\(error)")
        }
    }
}
