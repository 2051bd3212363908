import ArgumentParser
import Glibc
import ServiceConfiguration
import URLSigning
import VedutaService

/// `veduta sign URL…`: signs URLs without a server.
struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign URLs for a server with keys.",
        discussion: """
            Prints each URL with `sig`, made by the first key of VEDUTA_KEYS. --allow signs a set instead: all requests that keep \
            to its rules have the same `sig`, such as `path=/asset;id=lagoon.jpg;width<=1600;format=avif|webp?`.
            """)

    @Argument(help: "Paths such as /asset?id=a.jpg&width=640, or URLs with them.") var urls: [String]
    @Option(help: "Seconds until the signatures end; default never.") var expiresIn: Int64?
    @Option(help: "When the signatures end, in seconds since 1970.") var expires: Int64?
    @Option(help: "The rules of a set.") var allow: String?
    @Option(help: "The id of the key to sign with; default the first.") var key: String?
    @Option(
        help: "Configuration file with lines NAME=value, named like the environment variables.", completion: .file())
    var config: String?
    @Flag(help: "Also print the text that is signed, with \\n for line ends.") var explain = false

    func run() throws {
        let options = [Setting.fileOption: config].compactMapValues { $0 }
        let source = ConfigurationSource(options: options, environment: Environment.settings())
        guard let keys = try source.load().keys else {
            throw ValidationError("set VEDUTA_KEYS, in the environment or in the file of --config")
        }
        guard let key = key.map({ keys[$0[...]] }) ?? keys.current else {
            throw ValidationError("VEDUTA_KEYS has no key with this id")
        }
        if expires != nil, expiresIn != nil { throw ValidationError("give either --expires or --expires-in") }
        let end: Int64?
        do throws(URLSigner.Failure) {
            end = try URLSigner.end(expires: expires, orAfter: expiresIn, now: Int64(time(nil)))
        } catch {
            throw ValidationError("\(error)")
        }
        for url in urls {
            do throws(URLSigner.Failure) {
                if explain {
                    let message = try URLSigner.message(for: url, expires: end)
                    let text = allow.map { URLSignature.message(forSet: $0, expires: end) } ?? message
                    print(text.replacing("\n", with: "\\n"))
                }
                print(try URLSigner.signed(url, with: key, expires: end, allow: allow))
            } catch {
                print("\(url): \(error)")
                throw ExitCode(1)
            }
        }
    }
}
