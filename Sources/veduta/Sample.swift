import ArgumentParser
import VedutaService

/// `veduta sample FOLDER`: writes the built-in sample pictures.
struct Sample: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write the built-in sample pictures into a folder.")

    @Argument(help: "The folder; made if it is missing.") var folder: String

    func run() throws {
        try Service.prepareProcess(program: "veduta")
        try SampleLibrary.write(to: folder)
    }
}
