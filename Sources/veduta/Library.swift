import ArgumentParser
import ServiceConfiguration
import VedutaService

/// `veduta library`: the folder of uploads while no server has it.
struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look after the folder of uploads.", subcommands: [Check.self])

    /// `veduta library check`: exits 1 when something is not as it should be and was not repaired.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read all uploads and hold them against the catalogue.",
            discussion: """
                Files count more than the catalogue: --repair makes it anew where it is damaged or lost, and moves files whose \
                octets are not what their id says to a folder `damaged`. No server may have the folder meanwhile.
                """)

        @Option(help: "The folder (VEDUTA_UPLOADS).") var uploads: String?
        @Option(help: "A file of settings: lines NAME=value, named as the variables.") var config: String?
        @Flag(help: "Make the catalogue and the files agree.") var repair = false

        func run() throws {
            let options = ["uploads": uploads, Setting.fileOption: config].compactMapValues { $0 }
            let source = ConfigurationSource(options: options, environment: Environment.settings())
            guard let path = try source.load().uploads else {
                throw ValidationError("name the folder by --uploads or VEDUTA_UPLOADS")
            }
            guard !path.hasPrefix("s3://") else {
                throw ValidationError("a bucket has no catalogue that could be checked")
            }
            let (lines, isSound) = try LibraryInspection.run(path: path, repairs: repair)
            for line in lines { print(line) }
            guard isSound else { throw ExitCode(1) }
        }
    }
}
