import ArgumentParser
import Glibc
import Reactor
import ServiceConfiguration
import VedutaService

/// `veduta render TARGET`: one picture without a server.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write one image or map to a file or standard output, without a server.",
        discussion: """
            The target is that of a request to a server: veduta render '/asset?id=lagoon.jpg&width=800&format=webp' --library \
            pictures --output small.webp. The bytes are those that a server with the same options would send. Signatures and \
            budgets are not needed. Exits 2 when the request is refused, and prints why. A folder of uploads can be used only \
            while no server has it.
            """)

    @Argument(help: "A path with a query, or a URL with them, such as '/map?center=43.77,11.25&zoom=14&size=600x400'.")
    var target: String
    @Option(name: .shortAndLong, help: "The file to write; default standard output.", completion: .file())
    var output: String?
    @Option(help: "The Accept field of the request, which decides the format without format=.") var accept = "*/*"
    @OptionGroup var options: ServeOptions

    func run() throws {
        if output == nil, isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("standard output is a terminal; name a file by --output")
        }
        let source = ConfigurationSource(options: options.values, environment: Environment.settings())
        var configuration = try source.load()
        if options.logs.logLevel == nil { configuration.logLevel = .warning }
        try Service.prepareProcess(program: "veduta", enabling: configuration.formats)
        let writer = try LogWriter()
        writer.apply(configuration)
        let answer = try LocalRender.answer(
            to: CacheWarming.path(target), accept: accept, configuration, environment: Environment.all(),
            log: writer.logger("veduta"))
        writer.flush()
        guard (200...299).contains(answer.status) else {
            StandardStream.error.write(answer.content + [UInt8(ascii: "\n")])
            throw ExitCode(answer.status < 500 ? 2 : 1)
        }
        guard let output else { return StandardStream.output.write(answer.content) }
        try OutputFile.write(answer.content, to: output)
    }
}
