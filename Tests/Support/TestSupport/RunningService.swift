import Foundation
import ImageEngine
import ImagePlan
import Logging
package import Reactor
import Sandbox
package import ServiceConfiguration
import Synchronization
import VedutaService

/// The whole service on a port of its own on loopback, for tests that talk to it over a socket. It ends with this object.
package final class RunningService: Sendable {
    package let address: SocketAddress
    package let configuration: Configuration
    private let service: Service
    private let pictures: PictureFolder?
    private let isStopped = Atomic(false)

    private static let prepared: Result<Void, ServiceError> = Result { () throws(ServiceError) in
        try Service.prepareProcess(program: "veduta-tests", enabling: [.svg, .pdf])
    }

    /// Prepares the libraries in C, once for all tests of the process.
    package static func prepare() throws { try prepared.get() }

    /// Starts it, with `pictures` as its library; `adjust` changes the configuration, which listens on a free port of 127.0.0.1.
    ///
    /// A clock that stands still makes no timeouts; it is moved from its start on, not before.
    package init(
        pictures: PictureFolder? = nil, clock: Clock = .system, _ adjust: (inout Configuration) -> Void = { _ in }
    ) throws {
        try Self.prepare()
        self.pictures = pictures
        var configuration = Configuration()
        configuration.listen = "127.0.0.1:0"
        configuration.loops = 2
        configuration.workers = 2
        // This program is not the one that decodes. VEDUTA_TEST_DECODER names the server's own, to run all tests with it.
        configuration.decoder = ProcessInfo.processInfo.environment["VEDUTA_TEST_DECODER"]
        configuration.isolation = configuration.decoder == nil ? .off : .all
        // Limits of time have tests of their own; here they would tell how busy the machine is.
        configuration.drainTimeout = 180
        configuration.headTimeout = 600
        configuration.idleTimeout = 600
        configuration.writeTimeout = 600
        configuration.contentTimeout = 600
        configuration.renderTimeout = 600
        configuration.costLimit = 1200
        if let pictures { configuration.library = pictures.path }
        adjust(&configuration)
        service = try Service.start(
            configuration, log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: clock)
        address = service.address
        self.configuration = configuration
    }

    /// A service with `pictures`, or with a folder of its own, as its library, and a client of it, which keeps both.
    package static func withPictures(
        in pictures: PictureFolder? = nil, clock: Clock = .system, _ adjust: (inout Configuration) -> Void = { _ in }
    ) throws -> (pictures: PictureFolder, service: RunningService, client: WireClient) {
        let folder = try pictures ?? PictureFolder()
        let service = try RunningService(pictures: folder, clock: clock, adjust)
        return (folder, service, try WireClient(service.address, of: service))
    }

    deinit { stop() }

    /// Where metrics and health are, if they have a port of their own.
    package var operatorAddress: SocketAddress? { service.operatorAddress }

    /// Gives it another configuration, as a SIGHUP does.
    package func reload(_ configuration: Configuration) throws { try service.reload(configuration) }

    /// Drains and ends it; whether every request was answered. A clock that stands still never reaches the end of the drain
    /// timeout, so the time of the machine ends the wait, too. A second call does nothing and returns true.
    @discardableResult
    package func stop() -> Bool {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return true }
        let deadline = Clock.system.monotonic() + .seconds(200)
        return service.stop(isImpatient: { Clock.system.monotonic() >= deadline }) == .complete
    }
}
