import ArgumentParser
import ServiceConfiguration
import VedutaService

/// `veduta map`: what maps are made of.
struct Map: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look into sources and styles of maps.", subcommands: [Check.self])

    /// `veduta map check`: exits 1 when something keeps a map from being shown as it should be.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Explain what sources and styles of maps hold and lack.",
            discussion: """
                With a file, looks at that: an archive (PMTiles or MBTiles), a style or a maps file (both .json). Without one, at \
                all that the settings name. A style is held against the sources of the settings. Other servers are not asked.
                """)

        @Argument(help: "An archive, a style or a maps file.") var file: String?
        @Option(help: "The maps file (VEDUTA_MAPS).") var maps: String?
        @Option(help: "The default archive (VEDUTA_MAP_ARCHIVE).") var mapArchive: String?
        @Option(help: "The default style (VEDUTA_MAP_STYLE).") var mapStyle: String?
        @Option(help: "The folder of what styles name (VEDUTA_MAP_FILES).") var mapFiles: String?
        @Option(help: "A file of settings: lines NAME=value, named as the variables.") var config: String?
        @Option(help: "How many tiles of an archive to look at: 1 to 100000.") var tiles = MapInspection.tileCount
        @Flag(help: "Print JSON.") var json = false

        func run() throws {
            let options = [
                "maps": maps, "map-archive": mapArchive, "map-style": mapStyle, "map-files": mapFiles,
                Setting.fileOption: config,
            ].compactMapValues { $0 }
            guard (1...100_000).contains(tiles) else { throw ValidationError("--tiles takes 1 to 100000") }
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
