import ArgumentParser
import ServiceConfiguration
import VedutaService

/// `veduta library`: the folder of uploads while no server has it.
struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Maintain the folder of uploads.", subcommands: [Check.self])

    /// `veduta library check`: exits 1 when something is not as it should be and was not repaired.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read all uploads and check them against the catalogue.",
            discussion: """
                --repair trusts the files more than the catalogue: it rebuilds a damaged or missing catalogue, and moves files \
                whose bytes do not match their id to a folder `damaged`. Stop the server first.
                """)

        @Option(help: "The folder (VEDUTA_UPLOADS).") var uploads: String?
        @Option(help: "Configuration file with lines NAME=value, named like the environment variables.") var config:
            String?
        @Flag(help: "Repair the catalogue and set damaged files aside.") var repair = false

        func run() throws {
            let options = ["uploads": uploads, Setting.fileOption: config].compactMapValues { $0 }
            let source = ConfigurationSource(options: options, environment: Environment.settings())
            guard let path = try source.load().uploads else {
                throw ValidationError("set the folder with --uploads or VEDUTA_UPLOADS")
            }
            guard !path.hasPrefix("s3://") else {
                throw ValidationError("--uploads names a bucket, which has no catalogue to check")
            }
            let (lines, isSound) = try LibraryInspection.run(path: path, repairs: repair)
            for line in lines { print(line) }
            guard isSound else { throw ExitCode(1) }
        }
    }
}
