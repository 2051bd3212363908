import ArgumentParser
import ServiceConfiguration
import VedutaService

/// `veduta health`: asks a running server whether it is ready; for container health checks.
struct Health: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ask a running server whether it is ready.")

    @Option(help: "Address of the server; default from the environment or the configuration file.") var listen: String?
    @Option(help: "The configuration file of the server.", completion: .file()) var config: String?

    func run() throws {
        let options = ["listen": listen, Setting.fileOption: config].compactMapValues { $0 }
        let source = ConfigurationSource(options: options, environment: Environment.settings())
        guard let address = try? source.load().listen, HealthProbe.isReady(at: address) else { throw ExitCode(1) }
    }
}
