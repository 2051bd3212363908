import HTTPMessage
import AssetLibrary
import HTTPServer
import ImageEngine
import ImageWorkers
package import ImagePlan
package import Logging
import Origin
import OriginCache
import Originals
package import Reactor
import Renditions
import ResponseCache
import Sandbox
package import ServiceConfiguration
import Synchronization

/// The running service. Made and ended by `main`.
package final class Service: Sendable {
    private let server: HTTPServer
    private let opened: OpenedService
    private let parts: OpenedParts
    /// How many connections the process has descriptors for.
    private let descriptorsLeft: Int
    private let drainSeconds: Atomic<Int>
    private let operatorServer: HTTPServer?
    private let offer: HandoverOffer?

    private init(
        _ server: HTTPServer, _ opened: OpenedService, _ parts: OpenedParts, descriptorsLeft: Int, drainSeconds: Int,
        operatorServer: HTTPServer?, offer: HandoverOffer?
    ) {
        self.operatorServer = operatorServer
        self.offer = offer
        self.server = server
        self.opened = opened
        self.parts = parts
        self.descriptorsLeft = descriptorsLeft
        self.drainSeconds = Atomic(drainSeconds)
    }

    package var address: SocketAddress { server.address }
    /// Whether a new server serves in place of this one.
    package var isTakenOver: Bool { offer?.isTaken ?? false }
    /// Where metrics and health are, if they have a port of their own.
    package var operatorAddress: SocketAddress? { operatorServer?.address }

    /// Prepares the libraries in C, once per process, before any thread is started.
    /// - Parameter formats: what is read besides the formats that always are.
    package static func prepareProcess(program: String, enabling formats: Set<SourceFormat> = []) throws(ServiceError) {
        Allocator.setUp()
        do { try ImageEngine.start(program: program, enabling: formats) } catch { throw .images(cause: "\(error)") }
        guard Fetcher.prepareProcess() else { throw .fetcher(cause: "libcurl cannot be used") }
        // All that is loaded late is there now, and no request has to wait for it.
        _ = RenditionFingerprint.service
    }

    /// The main function of the processes that decode images for a server, which it starts with `workerCommand`.
    package static func runWorker() -> Never { ImageWorkerProcess.run() }

    /// The hidden command of the program.
    package static let workerCommand = ImageWorkerProcess.command

    /// Ends what `prepareProcess` began, after `stop`.
    package static func releaseProcess() { ImageEngine.shutdown() }

    /// Starts everything; nothing is left running when it throws. `prepareProcess` comes first.
    /// - Parameters:
    ///   - environment: what `${NAME}` in the maps file stands for, and where credentials are.
    ///   - whenTakenOver: called on another thread when a new server serves by `--handover`; then `stop` is due.
    ///   - isEnding: whether to give up (``ServiceError/ended``), asked on this thread while it waits for another server.
    package static func start(
        _ configuration: Configuration, environment: [String: String] = [:], log: Logger, clock: Clock = .system,
        whenTakenOver: @escaping @Sendable () -> Void = {}, isEnding: @escaping () -> Bool = { false }
    ) throws(ServiceError) -> Service {
        let files = try SettingFiles(configuration, environment: environment)
        let address = try ListenAddress(configuration.listen)
        let claim = try Self.claim(configuration, address, isEnding: isEnding)
        let listener = try address.open(takingOver: claim)
        let offered = try offeredSockets(configuration, claim, listener)
        let operatorListener = try Self.operatorListener(configuration, takingOver: claim, offering: offered)
        report(configuration, files, log)
        var parts = OpenedParts()
        do throws(ServiceError) {
            var isReadySaid = false
            let opened = try OpenedService(
                configuration, files, environment: environment, log: log, clock: clock,
                uploadWait: claim.map { claim in
                    UploadWait(
                        begin: {
                            claim.sayReady()
                            isReadySaid = true
                        }, isOver: isEnding)
                }, &parts)
            let descriptorsLeft = descriptorsForConnections(configuration, log)
            let operatorServer = try serveOperator(opened, on: operatorListener)
            parts.add { operatorServer?.stop() }
            // Nothing after this throws: it would cut off the clients that are let in.
            let server = try serve(
                opened, on: listener, leavesBacklog: address == .passedSocket, configuration,
                descriptorsLeft: descriptorsLeft)
            opened.showLimits(configuration, connectionCount: min(configuration.connections, descriptorsLeft))
            parts.add { server.stop() }
            if !isReadySaid { claim?.sayReady() }
            return Service(
                server, opened, parts, descriptorsLeft: descriptorsLeft, drainSeconds: configuration.drainTimeout,
                operatorServer: operatorServer, offer: startOffer(offered, log, whenTaken: whenTakenOver))
        } catch {
            parts.close()
            throw error
        }
    }

    private static func serve(
        _ opened: OpenedService, on listener: consuming FileDescriptor, leavesBacklog: Bool,
        _ configuration: Configuration, descriptorsLeft: Int
    ) throws(ServiceError) -> HTTPServer {
        do throws(Errno) {
            return try HTTPServer.start(
                listener: listener, leavesBacklog: leavesBacklog, loopCount: Processors.count(configuration.loops),
                settings: serverSettings(configuration, descriptorsLeft: descriptorsLeft), clock: opened.clock,
                statistics: opened.statistics, makeHandler: { ServiceHandler(opened, loopIndex: $0) })
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    // MARK: Reload

    /// Reads the configuration again, takes over what can be taken over, and says in the log what was done. A fault
    /// changes nothing.
    /// - Returns: the configuration that holds now.
    package func reload(from source: ConfigurationSource, over running: Configuration, _ log: Logger) -> Configuration {
        var reader = PolicyReader(opened.policy)
        let (presets, templates) = (reader.policy.presets, reader.policy.templates)
        let change: ConfigurationChange
        do {
            change = ConfigurationChange(from: running, to: try source.load())
            try reload(change.configuration)
        } catch {
            log.error("cannot reload the configuration, so it stays unchanged: \(error)")
            return running
        }
        var applied = change.applied
        // Files may say something else under the names that they had.
        let policy = reader.policy
        let changes = [("presets", policy.presets != presets), ("card-templates", policy.templates != templates)]
        applied += changes.filter { $0.1 && !applied.contains($0.0) }.map(\.0)
        let names = applied.joined(separator: ", ")
        log.notice("reloaded the configuration; changed: \(names.isEmpty ? "nothing" : names)")
        if !change.postponed.isEmpty {
            log.warning("restart the server to apply \(change.postponed.joined(separator: ", "))")
        }
        return change.configuration
    }

    /// Takes over the settings of `configuration` that are `isReloadable`. Open connections keep their time limits. The
    /// access log is opened again, also when nothing has changed.
    /// - Throws: when the presets or templates cannot be read or the access log cannot be opened; nothing has changed then.
    package func reload(_ configuration: Configuration) throws(ServiceError) {
        let presets = try SettingFiles.presets(configuration)
        let templates = try SettingFiles.templates(configuration)
        let tokens = try SettingFiles.tokens(configuration)
        try OpenedService.reopen(opened.accessLog, configuration)
        server.reload(Self.serverSettings(configuration, descriptorsLeft: descriptorsLeft))
        opened.showLimits(configuration, connectionCount: min(configuration.connections, descriptorsLeft))
        opened.policy.post(AnswerPolicy(configuration, presets: presets, templates: templates, tokens: tokens))
        drainSeconds.store(configuration.drainTimeout, ordering: .relaxed)
    }

    // MARK: Stop

    package enum Ending: Equatable, Sendable {
        /// Every request was answered and every thread joined.
        case complete
        /// Some requests were not answered in time; every thread is joined.
        case requestsCutOff
        /// Work that cannot be interrupted still runs: only the end of the process ends it.
        case workStillRuns
    }

    /// Finishes what runs, refuses the rest, and closes all parts. `isImpatient` is asked a hundred times a second and
    /// ends the waiting, as the drain timeout does.
    package func stop(isImpatient: () -> Bool = { false }) -> Ending {
        let clock = opened.clock
        offer?.withdraw()
        let isHandover = isTakenOver
        server.beginDrain(isHandover: isHandover)
        // Without a new server, metrics tell of the drain.
        if isHandover { operatorServer?.beginDrain(isHandover: true) }
        // Idle clients of a handover get two seconds, however short the drain is.
        let patience = max(drainSeconds.load(ordering: .relaxed), isHandover ? 3 : 0)
        let deadline = clock.monotonic() + .seconds(patience)
        func isOver() -> Bool { server.isDrained && (!isHandover || operatorServer?.isDrained ?? true) }
        while !isOver(), clock.monotonic() < deadline, !isImpatient() { Processors.pause(.milliseconds(10)) }
        let isDrained = server.isDrained
        guard parts.close() else { return .workStillRuns }
        return isDrained ? .complete : .requestsCutOff
    }
}

// What the server is told.
extension Service {
    /// How many descriptors are left for connections when loops and workers have theirs; the process's limit is raised as
    /// far as it may be.
    private static func descriptorsForConnections(_ configuration: Configuration, _ log: Logger) -> Int {
        let limit = DescriptorLimit.raise()
        let threads =
            Processors.count(configuration.loops) + Processors.count(configuration.workers)
            + (configuration.library == nil ? 0 : LibraryReader.threadCount)
        // A large image that is sent from disk is one more for its connection.
        let perConnection = configuration.cacheDirectory == nil && configuration.uploadFolder == nil ? 1 : 2
        // The library of uploads has folders open, and its catalogue up to three times a worker.
        let uploads = configuration.uploadFolder == nil ? 0 : 12 + 3 * threads
        // Files that are written to a bucket, and incomplete uploads while they are written and sent.
        let bucket = configuration.uploadPlace == nil ? 0 : UploadBucket.requestLimit + 2 + 2 * threads
        let isFetching =
            !configuration.remoteAllow.isEmpty || configuration.s3Endpoint != nil || !configuration.mapOrigins.isEmpty
        let originals = isFetching ? OriginRules.fileLimit + Fetcher.Settings().bounds.connections + 8 : 0
        // Each process has a socket and a file for results, and its job a file for the source.
        let processes = configuration.isolation == .off ? 0 : 3 * (Processors.count(configuration.workers) + 2)
        let opened = configuration.cacheDirectory == nil ? 0 : TieredCache.openFileLimit(ofDescriptors: limit)
        let left = max(
            8, (limit - 24 - 4 * threads - uploads - bucket - originals - processes - opened) / perConnection)
        if left < configuration.connections {
            log.notice(
                "connections are limited to \(left) because the process may open only \(limit) files (ulimit -n)")
        }
        return left
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
        // A folder from which content can become an asset without a copy.
        settings.spoolFolder =
            configuration.uploadFolder.map(UploadLibrary.spoolFolder)
            ?? (configuration.uploads == nil ? nil : configuration.spoolFolder)
        return settings
    }
}
