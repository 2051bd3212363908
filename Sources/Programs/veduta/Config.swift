import ArgumentParser
import Reactor
import ServiceConfiguration
import VedutaService

/// `veduta config`: the settings that a server would have.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the settings that a server would have, and where each comes from.",
        subcommands: [Show.self, Check.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all settings and their sources.",
            discussion: """
                Takes the options of `serve`, and reads the environment and the configuration file as `serve` does. Above \
                a line NAME=value is its source: an option, a variable or a line of the file. Defaults are comments that say \
                what they are for. Secrets are not shown.
                """)

        @Flag(help: "Only what is not the default.") var changed = false
        @OptionGroup var options: ServeOptions

        func run() throws {
            let report = try ConfigurationReport(source(options))
            for row in report.rows where !changed || row.value != nil {
                print(row.value.map { "# \(row.source)\n\(row.variable)=\($0)" } ?? "# \(row.variable): \(row.purpose)")
            }
        }
    }

    /// `veduta config check`: exits 2 when no server could start with these settings, on whatever machine.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check settings, and files of settings that they name, without starting a server.",
            discussion: """
                Prints every invalid setting and each variable that is no setting. If all are valid, reads the files of presets, \
                templates, tokens, identities, rewrites and credentials, and prints the first fault. Opens no library, map, cache or \
                log, so it runs on other machines too; `veduta map check` checks maps. Exits 2 where there are faults.
                """)

        @OptionGroup var options: ServeOptions

        func run() throws {
            let source = source(options)
            var lines: [String] = []
            for (name, suggestion) in Configuration.unknownVariables(in: source.environment) {
                lines.append("\(name) is not a setting\(suggestion.map { "; did you mean \($0)?" } ?? "")")
            }
            do {
                try Service.check(try source.load(), environment: Environment.all())
            } catch {
                lines.append("\(error)")
            }
            for line in lines { StandardStream.error.write(Array((line + "\n").utf8)) }
            guard lines.isEmpty else { throw ExitCode(2) }
            print("the settings are valid")
        }
    }
}

private func source(_ options: ServeOptions) -> ConfigurationSource {
    ConfigurationSource(options: options.values, environment: Environment.settings())
}
