import ArgumentParser
import VedutaService

/// `veduta version`: the same as `--version`.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the versions of the program and of libvips.")

    func run() { print(Build.text) }
}
