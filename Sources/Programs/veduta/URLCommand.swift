import ArgumentParser
import Glibc
import ImagePlan
import Parameters
import VedutaService

/// `veduta url`: URLs of images, maps, avatars and polls without a server. Exits 2 when the server would refuse one, after a
/// line for each fault.
struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Build, check and sign URLs of images, maps, avatars and polls without a server.",
        discussion: """
            The parser of the server reads the parameters. What only a server knows, such as presets and the names of styles, is \
            not checked.
            """,
        subcommands: [Build.self, Parse.self, Explain.self, Sign.self])

    struct Build: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the canonical URL of an image, a map, an avatar or a poll.",
            discussion: "Example: veduta url build asset id=lagoon.jpg width=800 fit=cover height=600")

        @Argument(help: "What the URL is of: \(WrittenURL.Kind.listed).") var kind: WrittenURL.Kind
        @Argument(help: "Parameters NAME=VALUE, not encoded.") var parameters: [String] = []
        @Option(help: "Address of the server to write before the path, such as https://images.example.com.")
        var server = ""

        func run() throws {
            let items = parameters.map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return QueryItem(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
            }
            print(server + (try checked { () throws(ParameterFaults) in try WrittenURL(kind, items) }).target)
        }
    }

    struct Parse: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the parameters of a URL.",
            discussion: """
                Prints the path, then each parameter that has an effect as NAME=VALUE: by its full name, not encoded, in the order \
                of the canonical URL. A signature comes last.
                """)

        @Argument(help: "A URL, or a path with a query.") var url: String

        func run() throws {
            let url = try written(url)
            print("/\(url.kind.rawValue)")
            for item in url.parameters { print("\(item.name)=\(item.value)") }
            for item in try QueryItems.parse(url.credentials) { print("\(item.name)=\(item.value)") }
        }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what a server would do, as far as it can be said without the original.",
            discussion: """
                Prints JSON with members of the answer to `explain=1`. With --original also the plan and its predicted cost, where \
                the pixels say nothing about borders and places of interest; what is asked of them is in `questions`.
                """)

        @Argument(help: "A URL, or a path with a query.") var url: String
        @Option(help: "The Accept field of the request.") var accept = "*/*"
        @Option(help: "Width, height and format of the original, such as 4000x3000 or 4000x3000.png.")
        var original: String?

        func run() throws {
            let header = try original.map { text in
                guard let header = URLExplanation.Original(text) else {
                    throw ValidationError(
                        "--original must be WIDTHxHEIGHT or WIDTHxHEIGHT.FORMAT, such as 4000x3000.png")
                }
                return header
            }
            let url = try written(url)
            do {
                print(try URLExplanation.text(url, accept: accept, original: header), terminator: "")
            } catch {
                throw refused([URLExplanation.words(error)])
            }
        }
    }
}

extension WrittenURL.Kind: ExpressibleByArgument {
    fileprivate static var listed: String { ParameterReader.list(allCases.map(\.rawValue)) }
}

private func written(_ text: String) throws -> WrittenURL {
    guard let url = try checked({ () throws(ParameterFaults) in try WrittenURL(text) }) else {
        throw refused(["`\(text)` is not the URL of an image, a map or a card, such as /asset?id=lagoon.jpg."])
    }
    return url
}

private func checked<Value>(_ make: () throws(ParameterFaults) -> Value) throws -> Value {
    do throws(ParameterFaults) { return try make() } catch { throw refused(error.faults.map(\.message)) }
}

/// Says why on standard error.
private func refused(_ lines: [String]) -> ExitCode {
    let bytes = lines.flatMap { Array(($0 + "\n").utf8) }
    _ = write(STDERR_FILENO, bytes, bytes.count)
    return ExitCode(2)
}
