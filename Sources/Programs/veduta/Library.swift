import ArgumentParser
import ServiceConfiguration
import VedutaService

/// `veduta library`: the folders of images and of uploads, without a server.
struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List images and uploads; maintain the folder of uploads.", subcommands: [List.self, Check.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the assets that a server would have.",
            discussion: """
                A line for each in the order of ids: bytes, media type and id, separated by tabs; - where the media type is not \
                known. Uploads are listed only while no server has their folder.
                """)

        @Option(help: "The folder of images (VEDUTA_LIBRARY).", completion: .directory) var library: String?
        @Option(help: "The folder of uploads (VEDUTA_UPLOADS).", completion: .directory) var uploads: String?
        @Option(
            help: "Configuration file with lines NAME=value, named like the environment variables.",
            completion: .file())
        var config: String?
        @Option(help: "Only those after this id.") var after = ""

        func run() throws {
            let options = ["library": library, "uploads": uploads, Setting.fileOption: config].compactMapValues { $0 }
            let source = ConfigurationSource(options: options, environment: Environment.settings())
            let configuration = try source.load()
            guard configuration.library != nil || configuration.uploads.map({ !$0.hasPrefix("s3://") }) ?? false else {
                throw ValidationError(
                    "set a folder with --library or VEDUTA_LIBRARY, or with --uploads or VEDUTA_UPLOADS")
            }
            try LibraryInspection.list(configuration, after: after) { print($0) }
        }
    }

    /// `veduta library check`: exits 1 when something is not as it should be and was not repaired.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read all uploads and check them against the catalogue.",
            discussion: """
                --repair trusts the files more than the catalogue: it rebuilds a damaged or missing catalogue, and moves files \
                whose bytes do not match their id to a folder `damaged`. Stop the server first.
                """)

        @Option(help: "The folder (VEDUTA_UPLOADS).", completion: .directory) var uploads: String?
        @Option(
            help: "Configuration file with lines NAME=value, named like the environment variables.",
            completion: .file())
        var config: String?
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
