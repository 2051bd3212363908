import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import ImageEngine
package import Logging
package import Reactor
import Resources

/// Why the service did not start. The text is for the operator and names what to change.
package enum ServiceError: Error, Equatable, CustomStringConvertible {
    case listen(String, cause: String)
    case library(path: String, cause: String)
    case mapArchive(path: String, cause: String)
    case images(cause: String)
    case threads(cause: String)
    case samples(path: String, cause: String)

    package var description: String {
        switch self {
        case .listen(let address, let cause):
            "cannot listen on \(address): \(cause); choose another --listen or VEDUTA_LISTEN (host:port, [v6]:port, unix:/path)"
        case .library(let path, let cause):
            "cannot serve the library \(path): \(cause); --library or VEDUTA_LIBRARY must name a folder that can be read"
        case .mapArchive(let path, let cause):
            "cannot draw maps from \(path): \(cause); --map-archive or VEDUTA_MAP_ARCHIVE must name a PMTiles v3 file of vector tiles"
        case .images(let cause): "libvips did not start: \(cause)"
        case .threads(let cause): "threads cannot be started: \(cause)"
        case .samples(let path, let cause): "the sample pictures cannot be written to \(path): \(cause)"
        }
    }
}

/// What the handlers of all loops share; made once, immutable afterwards.
struct ServiceParts: Sendable {
    let library: FolderLibrary?
    let maps: MapSource
    let delivery: PictureDelivery
    let workers: WorkerPool
    let metrics: ServiceMetrics
    let statistics: ServerStatistics
    let imageLimits: ImageLimits
    let openAPITag: EntityTag?
    let log: Logger
    let clock: Clock

    /// nil when requests can be served; else what is missing.
    func readiness() -> Problem? {
        guard let library else { return nil }
        do {
            try library.checkAvailable()
            return nil
        } catch {
            return Problem(error)
        }
    }
}

/// The running service: server, workers, library, maps. Made and ended by `main`.
package final class Service: Sendable {
    private let server: HTTPServer
    private let parts: ServiceParts
    private let drainTimeout: Duration

    private init(server: HTTPServer, parts: ServiceParts, drainTimeout: Duration) {
        self.server = server
        self.parts = parts
        self.drainTimeout = drainTimeout
    }

    /// Where it listens.
    package var address: SocketAddress { server.address }

    /// Prepares the libraries in C, once per process, before any thread is started.
    package static func prepareProcess(program: String) throws(ServiceError) {
        Allocator.limitArenas(to: 2)
        do {
            try ImageEngine.start(program: program)
        } catch {
            throw .images(cause: "\(error)")
        }
    }

    /// Ends what `prepareProcess` began, after `stop`.
    package static func releaseProcess() {
        ImageEngine.shutdown()
    }

    /// Starts everything; nothing is left running when it throws. `prepareProcess` comes first.
    package static func start(
        _ configuration: Configuration, log: Logger, clock: Clock = .system
    ) throws(ServiceError) -> Service {
        guard let address = SocketAddress(configuration.listen) else {
            throw .listen(configuration.listen, cause: "not an address")
        }
        let library = try openLibrary(configuration.library)
        let maps = try MapSource(path: configuration.mapArchive)
        let listener: FileDescriptor
        do {
            listener = try Listener.bind(address, backlog: 4096)
        } catch {
            throw .listen(configuration.listen, cause: "\(error)")
        }
        do throws(Errno) {
            let workers = try WorkerPool(
                name: "worker", threadCount: Processors.count(configuration.workers), queueLimit: configuration.queue,
                willExit: { ImageEngine.threadWillExit() })
            let metrics = ServiceMetrics()
            let parts = ServiceParts(
                library: library, maps: maps,
                delivery: PictureDelivery(
                    configuration: configuration, workers: workers, metrics: metrics, log: log, clock: clock),
                workers: workers, metrics: metrics, statistics: ServerStatistics(),
                imageLimits: imageLimits(configuration), openAPITag: tag(of: Resources.openAPI), log: log, clock: clock)
            do throws(Errno) {
                let server = try HTTPServer.start(
                    listener: listener, loopCount: Processors.count(configuration.loops),
                    settings: serverSettings(
                        configuration, descriptorsLeft: descriptorsForConnections(configuration, log)), clock: clock,
                    statistics: parts.statistics,
                    makeHandler: { _ in ServiceHandler(parts) })
                return Service(server: server, parts: parts, drainTimeout: .seconds(configuration.drainTimeout))
            } catch {
                workers.shutdown()
                throw error
            }
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    /// How a service ended.
    package enum Ending: Equatable, Sendable {
        /// Every request was answered and every thread joined.
        case complete
        /// Some requests were not answered in time; every thread is joined.
        case requestsCutOff
        /// Work that cannot be interrupted still runs: only the end of the process ends it.
        case workStillRuns
    }

    /// Finishes what runs, refuses the rest, and ends all threads. `isImpatient` is asked a hundred times a second and
    /// ends the waiting, as the drain timeout does. After that, work that heeds its cancellation has two seconds.
    package func stop(isImpatient: () -> Bool = { false }) -> Ending {
        server.beginDrain()
        let deadline = parts.clock.monotonic() + drainTimeout
        while !server.isDrained, parts.clock.monotonic() < deadline, !isImpatient() {
            Processors.pause(.milliseconds(10))
        }
        let isDrained = server.isDrained
        server.stop()
        parts.delivery.close()
        guard workersAreIdle(within: .seconds(2)) else { return .workStillRuns }
        parts.workers.shutdown()
        return isDrained ? .complete : .requestsCutOff
    }

    private func workersAreIdle(within patience: Duration) -> Bool {
        let deadline = parts.clock.monotonic() + patience
        while !parts.workers.load.isIdle {
            guard parts.clock.monotonic() < deadline else { return false }
            Processors.pause(.milliseconds(10))
        }
        return true
    }

    /// How many descriptors are left for connections when loops and workers have theirs; the process's limit is raised as
    /// far as it may be.
    private static func descriptorsForConnections(_ configuration: Configuration, _ log: Logger) -> Int {
        let limit = DescriptorLimit.raise()
        let threads = Processors.count(configuration.loops) + Processors.count(configuration.workers)
        let left = max(8, limit - 24 - 4 * threads)
        if left < configuration.connections {
            log.notice("at most \(left) connections, as the process may have \(limit) open files (ulimit -n)")
        }
        return left
    }

    private static func openLibrary(_ path: String?) throws(ServiceError) -> FolderLibrary? {
        guard let path else { return nil }
        do {
            return try FolderLibrary(rootPath: path)
        } catch {
            throw .library(path: path, cause: StartCause.text(error))
        }
    }

    private static func tag(of content: SharedBytes) -> EntityTag? {
        EntityTag(opaque: SHA256.digest(of: content).base64URL(octetCount: 16))
    }

    private static func imageLimits(_ configuration: Configuration) -> ImageLimits {
        ImageLimits(sourceByteCount: configuration.sourceBytes, pixelCount: configuration.sourcePixels)
    }

    private static func serverSettings(_ configuration: Configuration, descriptorsLeft: Int) -> ServerSettings {
        var settings = ServerSettings()
        settings.connectionLimit = min(configuration.connections, descriptorsLeft)
        settings.answerTimeout = .seconds(configuration.renderTimeout)
        settings.headTimeout = .seconds(configuration.headTimeout)
        settings.idleTimeout = .seconds(configuration.idleTimeout)
        settings.writeTimeout = .seconds(configuration.writeTimeout)
        return settings
    }
}
