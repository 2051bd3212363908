import ArgumentParser
import ImagePlan
import Parameters

/// `veduta url`: URLs of images without a server.
struct AddressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Build and check URLs of images without a server.", subcommands: [Asset.self])

    /// `veduta url asset`: exits 1 when the server would refuse the request.
    struct Asset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the canonical URL of an image, or what is wrong with it.",
            discussion: """
                Takes parameters such as `id=lagoon.jpg width=800`, unencoded, or one URL or query to check. Presets are known \
                to servers alone.
                """)

        @Argument(help: "Parameters NAME=VALUE, or a URL with a query.") var parameters: [String]
        @Option(help: "Address of the server to write before the path, such as https://images.example.com.")
        var server = ""

        func run() throws {
            do throws(ParameterFaults) {
                print(server + "/asset?" + (try ImageRequest.parse(try items()).canonical))
            } catch {
                for fault in error.faults { print(fault.message) }
                throw ExitCode(1)
            }
        }

        private func items() throws(ParameterFaults) -> [QueryItem] {
            if parameters.count == 1, let mark = parameters[0].firstIndex(of: "?") {
                return try QueryItems.parse(String(parameters[0][mark...].dropFirst()))
            }
            return parameters.map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return QueryItem(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
            }
        }
    }
}
