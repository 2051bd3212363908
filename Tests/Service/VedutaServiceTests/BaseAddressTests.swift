import HTTPMessage
import Origin
import Reactor
import ServiceConfiguration
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct BaseAddressTests {
    private static let proxy = SocketAddress("10.0.0.7:5000")

    private func text(
        _ fields: String..., from peer: SocketAddress? = proxy, publicURL: String? = nil,
        trusting: [String] = ["10.0.0.0/8"]
    ) throws -> String {
        let rules = BaseAddress.Rules(
            publicURL: publicURL.flatMap { PublicURL($0) }, trustedProxies: try #require(TrustedProxies(trusting)))
        return BaseAddress(try head(fields), from: peer, rules).text
    }

    private func head(_ fields: [String]) throws -> RequestHead {
        let lines = ["GET /tiles/light.json HTTP/1.1"] + fields + ["", ""]
        return try RequestHeadParsing.parse(lines.joined(separator: "\r\n"))
    }

    /// Whom a believed proxy names in these lines of X-Forwarded-For.
    private func client(_ forwarded: String...) throws -> String? {
        let head = try head(["Host: a"] + forwarded.map { "X-Forwarded-For: \($0)" })
        let proxies = try #require(TrustedProxies(["10.0.0.0/8"]))
        return proxies.client(behind: Self.proxy, head.fields)?.description
    }

    /// #15: what a proxy with a socket for both families wrote was no address of IPv4.
    @Test func forwardedAddressesOfIPv4_areSo_howeverTheyAreWritten() throws {
        #expect(try client("198.51.100.1, 203.0.113.7, ::ffff:10.1.2.3") == "203.0.113.7")
        #expect(try client("::ffff:203.0.113.7") == "203.0.113.7")
        #expect(try client("[::FFFF:203.0.113.7]:80, [::ffff:a01:203]:80") == "203.0.113.7")
        #expect(try client("2001:db8::1, 10.0.0.1") == "2001:db8::1")
    }

    /// #15: the work on a loop grew with the field.
    @Test func ofForwardedAddresses_theLastAreRead() throws {
        func proxies(_ numbers: ClosedRange<Int>) -> String { numbers.map { "10.0.0.\($0)" }.joined(separator: ", ") }
        #expect(try client("203.0.113.7, " + proxies(1...31)) == "203.0.113.7")
        #expect(try client("203.0.113.7, " + proxies(1...32)) == "10.0.0.1")
        #expect(try client("203.0.113.7, " + proxies(1...20), proxies(21...40)) == "10.0.0.9")
        let long = String(repeating: "1", count: 1000)
        #expect(try client("203.0.113.7, \(long), 10.0.0.1") == "10.0.0.1")
    }

    @Test func hostSaysIt() throws {
        #expect(try text("Host: maps.example.org:8080") == "http://maps.example.org:8080")
        #expect(try text("Host: [::1]:80") == "http://[::1]:80")
    }

    @Test func proxiesSayMore() throws {
        #expect(
            try text("Host: a", "X-Forwarded-Proto: https", "X-Forwarded-Host: maps.example.org, b")
                == "https://maps.example.org")
        #expect(try text("Host: a", "X-Forwarded-Proto: HTTPS, http") == "https://a")
        #expect(try text("Host: a", "X-Forwarded-Proto: gopher") == "http://a")
    }

    /// #15.31: any client could name another host.
    @Test func othersAreNotBelieved() throws {
        let fields = ("Host: a", "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example")
        let told = { (peer: String, trusted: [String]) in
            try text(fields.0, fields.1, fields.2, from: SocketAddress(peer), trusting: trusted)
        }
        #expect(try told("10.0.0.7:1", []) == "http://a")
        #expect(try told("11.0.0.7:1", ["10.0.0.0/8"]) == "http://a")
        #expect(try told("[::ffff:10.0.0.7]:1", ["10.0.0.0/8"]) == "https://evil.example")
        #expect(try told("[fd00::1]:1", ["10.0.0.0/8", "fd00::/8"]) == "https://evil.example")
        #expect(try told("unix:/run/a", ["10.0.0.0/8"]) == "http://a")
        #expect(try told("unix:/run/a", ["unix"]) == "https://evil.example")
        #expect(try text(fields.0, fields.1, fields.2, from: nil) == "http://a")
    }

    @Test func publicURL_saysItForAll() throws {
        let fields = ("Host: a", "X-Forwarded-Proto: http", "X-Forwarded-Host: b")
        for url in ["https://maps.example.org", "https://maps.example.org/", "HTTPS://Maps.Example.org:443"] {
            #expect(try text(fields.0, fields.1, fields.2, publicURL: url) == "https://maps.example.org")
        }
        #expect(
            try text(fields.0, publicURL: "http://example.org:8080/pictures/") == "http://example.org:8080/pictures")
        for url in [
            "example.org", "ftp://example.org", "https://example.org/?a", "https://example.org/#a", "https://", "",
        ] {
            #expect(PublicURL(url) == nil, "\(url)")
        }
    }

    @Test func whatIsNoHostIsNotRepeated() throws {
        for host in ["\"><script>", "a/b", "a b?c", String(repeating: "a", count: 300)] {
            #expect(try text("Host: good", "X-Forwarded-Host: \(host)") == "http://good")
        }
    }
}
