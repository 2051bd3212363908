import ArgumentParser
import VedutaService

/// `veduta sample FOLDER`: writes the sample pictures and the map of the sample city.
struct Sample: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the sample images and the map of the sample city to a folder.",
        discussion: """
            The images go to FOLDER/pictures, for --library, and the map to FOLDER/maps/city.pmtiles, for --map-archive.
            """)

    @Argument(help: "The folder; created if it does not exist.", completion: .directory) var folder: String

    func run() throws {
        try Service.prepareProcess(program: "veduta")
        try SampleLibrary.write(to: folder)
    }
}
