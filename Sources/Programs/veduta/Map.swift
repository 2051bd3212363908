import ArgumentParser
import ServiceConfiguration
import VedutaService

/// `veduta map`: what maps are made of.
struct Map: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Inspect map sources and styles; get archives.", subcommands: [Check.self, Extract.self])

    /// `veduta map check`: exits 1 when something keeps a map from being shown as it should be.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report what map sources and styles contain and what they lack.",
            discussion: """
                Checks the given file: an archive (PMTiles or MBTiles), a style or a maps file (both .json). Without a file, \
                checks everything that the settings name. A style is checked against the sources in the settings. Never \
                connects to other servers.
                """)

        @Argument(help: "An archive, a style or a maps file.", completion: .file()) var file: String?
        @Option(help: "The maps file (VEDUTA_MAPS).", completion: .file()) var maps: String?
        @Option(help: "The default archive (VEDUTA_MAP_ARCHIVE).", completion: .file()) var mapArchive: String?
        @Option(help: "The default style (VEDUTA_MAP_STYLE).", completion: .file()) var mapStyle: String?
        @Option(help: "The folder of the files that styles refer to (VEDUTA_MAP_FILES).", completion: .directory)
        var mapFiles: String?
        @Option(
            help: "Configuration file with lines NAME=value, named like the environment variables.",
            completion: .file())
        var config: String?
        @Option(help: "Number of tiles to check in an archive, from 1 to 100000.") var tiles = MapInspection.tileCount
        @Flag(help: "Print JSON.") var json = false

        func run() throws {
            let options = [
                "maps": maps, "map-archive": mapArchive, "map-style": mapStyle, "map-files": mapFiles,
                Setting.fileOption: config,
            ].compactMapValues { $0 }
            guard (1...100_000).contains(tiles) else {
                throw ValidationError("--tiles must be a number from 1 to 100000")
            }
            let source = ConfigurationSource(options: options, environment: Environment.settings())
            let configuration = try source.load()
            try Service.prepareProcess(program: "veduta", enabling: configuration.formats)
            let (text, isSound) = MapInspection.run(
                configuration, environment: Environment.all(), file: file, tileCount: tiles, asJSON: json)
            print(text)
            guard isSound else { throw ExitCode(1) }
        }
    }
}
