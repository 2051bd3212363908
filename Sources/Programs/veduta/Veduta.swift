import ArgumentParser
import Glibc
import Logging
import Reactor
import ServiceConfiguration
import VedutaService

@main
struct Veduta: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "veduta", abstract: "An HTTP server for images and maps.",
        discussion: """
            Every option of `serve` is also an environment variable and a line of a configuration file: --cache-memory is \
            VEDUTA_CACHE_MEMORY.
            """,
        version: Build.text,
        subcommands: [DecodeWorker.self],
        groupedSubcommands: [
            CommandGroup(name: "Serve", subcommands: [Serve.self, Config.self, Health.self]),
            CommandGroup(
                name: "Without a server", subcommands: [Render.self, URLCommand.self, Sign.self, Sample.self]),
            CommandGroup(name: "Data", subcommands: [Library.self, Map.self, Cache.self]),
            CommandGroup(name: "Program", subcommands: [Version.self, Completions.self]),
        ])
}

/// `veduta decode-worker`: a process that decodes images for a server, which starts it.
struct DecodeWorker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Service.workerCommand, abstract: "Decode images for a server.", shouldDisplay: false)

    func run() { Service.runWorker() }
}

/// `veduta serve`: runs until SIGTERM or SIGINT, then finishes what runs; a second signal ends at once.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve images and maps.")

    @OptionGroup var options: ServeOptions

    func run() throws {
        // Before any thread is started, so that all of them leave the signals to this one.
        let signals = try SignalSource()
        let writer = try LogWriter()
        let log = writer.logger("veduta")
        do {
            let ending = try serve(until: signals, writer, log)
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

    private func serve(
        until signals: borrowing SignalSource, _ writer: LogWriter, _ log: Logger
    ) throws -> Service.Ending {
        let environment = Environment.settings()
        let source = ConfigurationSource(options: options.values, environment: environment)
        let loaded = Result { try source.load() }
        if let configuration = try? loaded.get() { writer.apply(configuration) }
        log.info("\(Build.text)")
        for (name, suggestion) in Configuration.unknownVariables(in: environment) {
            log.warning("\(name) is not a setting\(suggestion.map { "; did you mean \($0)?" } ?? "")")
        }
        let configuration = try loaded.get()
        try Service.prepareProcess(program: "veduta", enabling: configuration.formats)
        // A new server that has taken over ends this one as a signal does.
        let service: Service
        do {
            service = try Service.start(
                configuration, environment: Environment.all(), log: log,
                whenTakenOver: { _ = kill(getpid(), SIGTERM) },
                isEnding: { SignalSource.isPending([.terminate, .interrupt]) })
        } catch ServiceError.ended {
            log.info("\(ServiceError.ended)")
            return .complete
        }
        let scheme = service.address.port == nil ? "" : "http://"
        log.info("listening on \(scheme)\(service.address)")
        var running = configuration
        try waitForTheEnd(signals) {
            running = service.reload(from: source, over: running, log)
            writer.apply(running)
        }
        log.info("shutting down: waiting for running requests")
        // After a handover, which sends a signal itself, that of whoever started the new server is no impatience.
        var isForgiven = false
        let ending = service.stop {
            switch try? signals.wait(maximumWait: .zero) {
            case .terminate, .interrupt:
                if isForgiven || !service.isTakenOver { return true }
                isForgiven = true
                return false
            case .hangUp, nil: return false
            }
        }
        switch ending {
        case .complete: log.info("all requests finished")
        case .requestsCutOff: log.warning("some requests were cut off before they were answered")
        case .workStillRuns: log.warning("some work did not stop in time and was abandoned")
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
