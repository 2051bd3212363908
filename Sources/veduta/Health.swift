import ArgumentParser
import Glibc
import VedutaService

/// `veduta health`: asks a running server whether it is ready; for container health checks.
struct Health: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ask a running server whether it is ready.")

    @Option(help: "Where the server listens.") var listen: String?

    func run() throws {
        let address = listen ?? getenv("VEDUTA_LISTEN").map { String(cString: $0) } ?? Configuration().listen
        guard HealthProbe.isReady(at: address) else { throw ExitCode(1) }
    }
}
