import HTTPMessage
import CacheProxy
import Glibc
import Origin
import Reactor

/// `veduta-cache-proxy --listen HOST:PORT --upstream http://127.0.0.1:PORT`: for tests of the cache engine alone.
@main enum VedutaCacheProxy {
    private static let usage = "usage: veduta-cache-proxy --listen HOST:PORT --upstream http://127.0.0.1:PORT"

    static func main() {
        var options: [String: String] = [:]
        var words = CommandLine.arguments.dropFirst().flatMap { word in
            word.split(separator: "=", maxSplits: 1).map(String.init)
        }[...]
        while let name = words.popFirst() {
            guard name == "--listen" || name == "--upstream", let value = words.popFirst() else { fail(usage) }
            options[name] = value
        }
        guard let address = options["--listen"].flatMap({ SocketAddress($0) }), let upstream = options["--upstream"],
            let url = try? OriginURL(upstream)
        else { fail(usage) }
        do throws(Errno) {
            // Before there is any thread, so that none gets the signals.
            let signals = try SignalSource()
            let server = try CacheProxyServer(listener: try Listener.bind(address), upstream: url)
            say("veduta-cache-proxy: \(server.address) for \(url.origin)")
            while try signals.wait() == .hangUp {}
            server.stop()
        } catch {
            fail("veduta-cache-proxy: \(error)")
        }
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func fail(_ message: String) -> Never {
        say(message)
        exit(2)
    }
}
