import ArgumentParser
import Glibc
import Logging
import Reactor
import ServiceConfiguration
import VedutaService

@main
struct Veduta: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "veduta", abstract: "Pictures and maps over HTTP.",
        discussion: """
            Every option of `serve` is also an environment variable and a line of a configuration file: --cache-memory is \
            VEDUTA_CACHE_MEMORY.
            """,
        version: Build.text,
        subcommands: [Serve.self, Library.self, Map.self, Sample.self, Health.self])
}

/// `veduta serve`: runs until SIGTERM or SIGINT, then finishes what runs; a second signal ends at once.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve pictures and maps.")

    @OptionGroup var options: ServeOptions

    func run() throws {
        // Before any thread is started, so that all of them leave the signals to this one.
        let signals = try SignalSource()
        let writer = try LogWriter()
        let log = writer.logger("veduta")
        do {
            let ending = try serve(until: signals, log)
            writer.flush()
            // Threads that cannot be joined end with the process, without its clean-up.
            if ending == .workStillRuns { _exit(1) }
            guard ending == .complete else { throw ExitCode(1) }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            log.critical("\(error)")
            writer.flush()
            throw ExitCode(2)
        }
    }

    private func serve(until signals: borrowing SignalSource, _ log: Logger) throws -> Service.Ending {
        log.info("\(Build.text)")
        let environment = Environment.settings()
        for (name, suggestion) in Configuration.unknownVariables(in: environment) {
            log.warning("\(name) is no setting\(suggestion.map { "; did you mean \($0)?" } ?? "")")
        }
        let source = ConfigurationSource(options: options.values, environment: environment)
        let configuration = try source.load()
        try Service.prepareProcess(program: "veduta", enabling: configuration.formats)
        let service = try Service.start(configuration, environment: Environment.all(), log: log)
        let scheme = service.address.port == nil ? "" : "http://"
        log.info("listening on \(scheme)\(service.address)")
        var running = configuration
        try waitForTheEnd(signals) { running = service.reload(from: source, over: running, log) }
        log.info("finishing what runs")
        let ending = service.stop {
            switch try? signals.wait(maximumWait: .zero) {
            case .terminate, .interrupt: true
            case .hangUp, nil: false
            }
        }
        switch ending {
        case .complete: log.info("done")
        case .requestsCutOff: log.warning("some requests were not answered in time")
        case .workStillRuns: log.warning("work that cannot be interrupted is left behind")
        }
        if ending != .workStillRuns { Service.releaseProcess() }
        return ending
    }

    private func waitForTheEnd(_ signals: borrowing SignalSource, onHangUp reload: () -> Void) throws(Errno) {
        while true {
            switch try signals.wait() {
            case .terminate, .interrupt: return
            case .hangUp: reload()
            case nil: continue
            }
        }
    }
}
