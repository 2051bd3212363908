import AccessLogging
import AssetLibrary
import Bytes
import DiskStore
import HTTPMessage
import HTTPServer
import ImageEngine
package import ImagePlan
package import Logging
import Origin
import OriginCache
import Originals
package import Reactor
import Renditions
import Resources
import ResponseCache
package import ServiceConfiguration
import Synchronization

/// The running service: server, workers, library, maps. Made and ended by `main`.
package final class Service: Sendable {
    private let server: HTTPServer
    let parts: ServiceParts
    /// How many connections the process has descriptors for.
    private let descriptorsLeft: Int
    private let drainSeconds: Atomic<Int>

    private init(server: HTTPServer, parts: ServiceParts, descriptorsLeft: Int, drainTimeout: Int) {
        self.server = server
        self.parts = parts
        self.descriptorsLeft = descriptorsLeft
        drainSeconds = Atomic(drainTimeout)
    }

    package var address: SocketAddress { server.address }

    /// Prepares the libraries in C, once per process, before any thread is started.
    /// `formats` are read beside those that always are.
    package static func prepareProcess(
        program: String, enabling formats: Set<SourceFormat> = []
    ) throws(ServiceError) {
        Allocator.setUp()
        do {
            try ImageEngine.start(program: program, enabling: formats)
        } catch {
            throw .images(cause: "\(error)")
        }
        guard Fetcher.prepareProcess() else { throw .fetcher(cause: "libcurl cannot be used") }
        // All that is loaded late is there now, and no request has to wait for it.
        _ = RenditionFingerprint.service
    }

    /// Ends what `prepareProcess` began, after `stop`.
    package static func releaseProcess() {
        ImageEngine.shutdown()
    }

    /// Starts everything; nothing is left running when it throws. `prepareProcess` comes first. `environment` is what `${NAME}`
    /// in the maps file stands for.
    package static func start(
        _ configuration: Configuration, environment: [String: String] = [:], log: Logger, clock: Clock = .system
    ) throws(ServiceError) -> Service {
        let identities = try readIdentities(configuration)
        let address = try ListenAddress(configuration.listen)
        let folder = try openLibrary(configuration)
        try checkUploads(configuration)
        let uploads = try openUploads(configuration, log)
        let resumable = try openResumable(configuration, clock)
        let presets = try readPresets(configuration)
        let listener = try address.open()
        log.info(
            "entity tags have the fingerprint \(RenditionFingerprint.service.name), with libvips \(ImageEngine.version)"
        )
        for format in configuration.formats.sorted(by: { $0.rawValue < $1.rawValue }) where !ImageEngine.canRead(format)
        {
            log.warning("VEDUTA_FORMATS names \(format.rawValue), but the installed libvips cannot read it")
        }
        let metrics = ServiceMetrics()
        if configuration.token?.isShort == true {
            log.warning("the token has fewer than \(AccessToken.safeLength) characters and could be guessed")
        }
        let purges = PurgeListener()
        let disk = try openDisk(configuration, log, clock, telling: purges)
        let accessLog: AccessLog
        do throws(ServiceError) {
            accessLog = try startAccessLog(configuration, metrics)
        } catch {
            disk?.close()
            throw error
        }
        let cache = RenditionCache(
            TieredCache(
                memoryByteCapacity: configuration.cacheStorage == .off ? 0 : configuration.cacheMemory, disk: disk))
        let workers: WorkerPool
        do throws(Errno) {
            workers = try WorkerPool(
                name: "worker", threadCount: Processors.count(configuration.workers), queueLimit: configuration.queue,
                byteLimit: MemoryBudget(configuration).claimedByteCount,
                // Drawing takes all processors that it gets; requests that need none of it are answered meanwhile.
                willStart: { ThreadPriority.lower(steps: 5) }, willExit: { ImageEngine.threadWillExit() })
        } catch {
            accessLog.close()
            disk?.close()
            throw .threads(cause: "\(error)")
        }
        let maps: OpenedMaps
        do throws(ServiceError) {
            maps = try openMaps(
                configuration, log, environment: environment, identities: identities, isWatched: true,
                cache: cache.tiers,
                workers: workers, clock: clock)
        } catch {
            workers.shutdown()
            accessLog.close()
            disk?.close()
            throw error
        }
        do throws(Errno) {
            let remote = try remoteOriginals(
                configuration, identities, cache: cache.tiers, workers: workers, clock: clock)
            purges.attach(cache, [remote?.cache, maps.remote].compactMap(\.self))
            let reader: LibraryReader?
            do throws(Errno) {
                reader = if let folder { try LibraryReader(folder) } else { nil }
            } catch {
                remote?.cache.stop()
                throw error
            }
            let parts = ServiceParts(
                originals: Originals(
                    library: folder, uploads: uploads, bucket: uploadBucket(configuration, remote), remote: remote,
                    reader: reader),
                maps: MapService(configuration, maps, metrics: metrics, log: log),
                renditions: RenditionService(
                    cache, workers: workers, workerCount: Processors.count(configuration.workers),
                    metrics: metrics.renditions, clock: clock, isKeeping: configuration.cacheStorage != .off),
                workers: workers, metrics: metrics, statistics: ServerStatistics(),
                renderOptions: renderOptions(configuration), qualities: QualityMemo(),
                masters: configuration.masters
                    ? MasterStore(cache.tiers, options: renderOptions(configuration), clock: clock) : nil,
                varied: VariedFields(usesHints: configuration.clientHints), resumable: resumable,
                openAPI: FixedText(Resources.openAPI),
                policy: PolicyBoard(AnswerPolicy(configuration, presets: presets)),
                accessLog: accessLog, log: log, clock: clock)
            let descriptorsLeft = descriptorsForConnections(configuration, log)
            do throws(Errno) {
                let server = try HTTPServer.start(
                    listener: listener, leavesBacklog: address == .passedSocket,
                    loopCount: Processors.count(configuration.loops),
                    settings: serverSettings(configuration, descriptorsLeft: descriptorsLeft), clock: clock,
                    statistics: parts.statistics,
                    makeHandler: { index in ServiceHandler(parts, loopIndex: index) })
                return Service(
                    server: server, parts: parts, descriptorsLeft: descriptorsLeft,
                    drainTimeout: configuration.drainTimeout)
            } catch {
                reader?.stop()
                remote?.cache.stop()
                throw error
            }
        } catch {
            maps.stop()
            workers.shutdown()
            accessLog.close()
            disk?.close()
            throw .threads(cause: "\(error)")
        }
    }

    private static func readPresets(_ configuration: Configuration) throws(ServiceError) -> PresetTable {
        do {
            return try PresetFile.read(configuration.presets)
        } catch {
            throw .presets(path: error.path, cause: error.cause)
        }
    }

    private static func readIdentities(_ configuration: Configuration) throws(ServiceError) -> OriginIdentities {
        do {
            return try IdentityFile.read(configuration.remoteIdentities)
        } catch {
            throw .identities(path: error.path, cause: error.cause)
        }
    }

    private static func startAccessLog(
        _ configuration: Configuration, _ metrics: ServiceMetrics
    ) throws(ServiceError) -> AccessLog {
        let log: AccessLog
        do {
            log = try AccessLog(
                loopCount: Processors.count(configuration.loops), dropped: metrics.droppedAccessLines)
        } catch {
            throw .threads(cause: "\(error)")
        }
        do {
            try log.open(configuration.accessLog, path: configuration.accessLogFile)
        } catch {
            log.close()
            throw .accessLog(path: configuration.accessLogFile ?? "standard output", cause: "\(error)")
        }
        return log
    }

    /// Takes over the settings of `configuration` that a running service can take over: those that are `isReloadable`.
    /// Connections that are open keep their time limits. The access log is opened anew, also when nothing has changed.
    ///
    /// - Throws: when the presets cannot be read or the access log cannot be opened; nothing has changed then.
    package func reload(_ configuration: Configuration) throws(ServiceError) {
        let presets = try Self.readPresets(configuration)
        do {
            try parts.accessLog.open(configuration.accessLog, path: configuration.accessLogFile)
        } catch {
            throw .accessLog(path: configuration.accessLogFile ?? "standard output", cause: "\(error)")
        }
        server.reload(Self.serverSettings(configuration, descriptorsLeft: descriptorsLeft))
        parts.policy.post(AnswerPolicy(configuration, presets: presets))
        drainSeconds.store(configuration.drainTimeout, ordering: .relaxed)
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
        let deadline = parts.clock.monotonic() + .seconds(drainSeconds.load(ordering: .relaxed))
        while !server.isDrained, parts.clock.monotonic() < deadline, !isImpatient() {
            Processors.pause(.milliseconds(10))
        }
        let isDrained = server.isDrained
        server.stop()
        parts.accessLog.close()
        parts.renditions.close()
        parts.originals.remote?.cache.stop()
        parts.originals.reader?.stop()
        parts.maps.close()
        guard workersAreIdle(within: .seconds(2)) else { return .workStillRuns }
        parts.workers.shutdown()
        parts.renditions.cache.tiers.close()
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
        let threads =
            Processors.count(configuration.loops) + Processors.count(configuration.workers)
            + (configuration.library == nil ? 0 : LibraryReader.threadCount)
        // A large picture that is sent from disk is one more for its connection.
        let perConnection = configuration.cacheDirectory == nil && configuration.uploadFolder == nil ? 1 : 2
        // The library of uploads has folders open, and its catalogue up to three times a worker.
        let uploads = configuration.uploadFolder == nil ? 0 : 12 + 3 * threads
        let isFetching =
            !configuration.remoteAllow.isEmpty || configuration.s3Endpoint != nil || !configuration.mapOrigins.isEmpty
        let originals = isFetching ? OriginRules.fileLimit + Fetcher.Settings().bounds.connections + 8 : 0
        let left = max(8, (limit - 24 - 4 * threads - uploads - originals) / perConnection)
        if left < configuration.connections {
            log.notice(
                "connections are limited to \(left) because the process may open only \(limit) files (ulimit -n)")
        }
        return left
    }

    private static func openDisk(
        _ configuration: Configuration, _ log: Logger, _ clock: Clock, telling purges: PurgeListener
    ) throws(ServiceError) -> EntryStore? {
        guard let path = configuration.cacheDirectory, configuration.cacheStorage == .all else { return nil }
        let settings = EntryStoreSettings(
            path: path, byteCapacity: configuration.cacheDisk, fileCapacity: configuration.cacheFiles)
        do throws(Errno) {
            return try EntryStore.open(settings, clock: clock) { event in
                switch event {
                case .turnedOff(let error):
                    log.warning("no pictures are kept in \(path) until it is writable again: \(error)")
                case .turnedOn: log.notice("pictures are kept in \(path) again")
                case .removedCorrupt(let name):
                    log.warning("removed a damaged file from the disk cache", metadata: ["file": "\(path)/\(name)"])
                case .purgedElsewhere(let notice): purges.apply(notice)
                case .purgeNotShared(let error):
                    log.warning(
                        "cannot tell other servers that share \(path) about a purge; they may serve old images from memory: \(error)"
                    )
                }
            }
        } catch {
            throw .cacheFolder(path: path, cause: "\(error)")
        }
    }

    private static func openLibrary(_ configuration: Configuration) throws(ServiceError) -> FolderLibrary? {
        guard let path = configuration.library else { return nil }
        do {
            // No picture is made of a larger file.
            return try FolderLibrary(rootPath: path, digestLimit: configuration.sourceBytes)
        } catch {
            throw .library(path: path, cause: StartCause.text(error))
        }
    }

    private static func renderOptions(_ configuration: Configuration) -> RenderOptions {
        RenderOptions(
            limits: ImageLimits(
                sourceByteCount: configuration.sourceBytes, pixelCount: configuration.sourcePixels),
            frames: FrameLimits(frameCount: configuration.frames, totalPixelCount: configuration.framePixels),
            usesLinearLight: configuration.linearLight, effortLimit: configuration.effortMax)
    }

    private static func serverSettings(_ configuration: Configuration, descriptorsLeft: Int) -> ServerSettings {
        var settings = ServerSettings()
        settings.connectionLimit = min(configuration.connections, descriptorsLeft)
        settings.answerTimeout = .seconds(configuration.renderTimeout)
        settings.headTimeout = .seconds(configuration.headTimeout)
        settings.idleTimeout = .seconds(configuration.idleTimeout)
        settings.writeTimeout = .seconds(configuration.writeTimeout)
        settings.contentTimeout = .seconds(configuration.contentTimeout)
        settings.minimumRate = configuration.minimumRate
        settings.connectionsPerAddress = configuration.connectionsPerAddress
        // Where what came can become an asset without being copied.
        settings.spoolFolder =
            configuration.uploadFolder.map(UploadLibrary.spoolFolder)
            ?? (configuration.uploads == nil ? nil : spoolFolder(configuration))
        return settings
    }
}
