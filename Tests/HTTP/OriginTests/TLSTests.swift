import HTTPMessage
import Testing
import FakeOrigin

@testable import Origin

/// Origins over TLS with an authority of ours.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TrialAuthority.program != nil, "openssl is not installed")) struct TLSTests
{
    private static let authority = Result { try TrialAuthority() }

    /// Fetches `https://pictures.test/answer` from an origin with `certificate` and gives the error.
    private static func fetch(
        certificate: String = "right", more: [String] = [],
        answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
        elsewhere: [String] = [], _ adjust: (inout OriginIdentity, TrialAuthority) throws -> Void = { _, _ in }
    ) throws -> (error: OriginError?, text: String) {
        let authority = try authority.get()
        let file = "answer-\(UInt64.random(in: 0...(.max)))"
        try authority.write(answer + "content", to: file)
        let origin = try TLSOrigin(authority, certificate: certificate, more)
        defer { origin.stop() }
        var identity = OriginIdentity()
        identity.trustFile = authority.path("ca.pem")
        try adjust(&identity, authority)
        let base = "https://pictures.test:\(origin.port)"
        let list = try OriginList([base])
        let fetcher = try Fetcher.onLoopback([base] + elsewhere) { settings in
            settings.identities.append(identity, for: list)
            settings.resolve = "pictures.test:\(origin.port):127.0.0.1"
            settings.limits.attempts = 1
        }
        defer { fetcher.stop() }
        let pending = try fetcher.begin("\(base)/\(file)")
        return (pending.error, pending.sink.text)
    }

    @Test func rightCertificate_isTaken() throws {
        let (error, text) = try Self.fetch()
        #expect((error, text) == (nil, "content"))
    }

    /// Another name, a time that is over, an authority that nobody knows, and the system's authorities alone.
    @Test(arguments: ["wrong", "old", "unknown"])
    func wrongCertificate_isRefused(_ name: String) throws {
        #expect(try Self.fetch(certificate: name).error == .tlsFailed)
    }

    @Test func authorityOfOurs_isTrustedOnlyWhereItIsNamed() throws {
        #expect(try Self.fetch { identity, _ in identity.trustFile = nil }.error == .tlsFailed)
        #expect(
            try Self.fetch { identity, authority in identity.trustFile = authority.path("nowhere.pem") }.error
                == .credentialsUnusable)
    }

    @Test func pinnedKey_mustBeThere() throws {
        let right = try Self.fetch { identity, authority in
            identity.pinnedKeys = "\(try authority.pin("client"));\(try authority.pin("right"))"
        }
        #expect((right.error, right.text) == (nil, "content"))
        #expect(
            try Self.fetch { identity, authority in identity.pinnedKeys = try authority.pin("client") }.error
                == .tlsFailed)
    }

    /// TLS 1.2, where the refusal is part of the handshake; in 1.3 it comes with the first bytes.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func clientCertificate_isShownWhereItIsDemanded(_ version: String) throws {
        let demand = ["-Verify", "2", "-verify_return_error", "-CAfile", "ca.pem", version]
        let shown = try Self.fetch(more: demand) {
            $0.certificateFile = $1.path("client.pem")
            $0.keyFile = $1.path("client.key")
        }
        #expect((shown.error, shown.text) == (nil, "content"))
        let hidden = try Self.fetch(more: demand)
        #expect([.tlsFailed, .broken].contains(hidden.error) && hidden.text.isEmpty)
        let other = try Self.fetch(more: demand) {
            $0.certificateFile = $1.path("unknown.pem")
            $0.keyFile = $1.path("unknown.key")
        }
        #expect([.tlsFailed, .broken].contains(other.error) && other.text.isEmpty)
        let unusable = try Self.fetch { identity, authority in
            identity.certificateFile = authority.path("client.pem")
            identity.keyFile = authority.path("right.key")
        }
        #expect(unusable.error == .credentialsUnusable)
    }

    /// Neither what identifies us nor a certificate goes along when an origin leads from https to http.
    @Test func downgrade_takesNoCredentialsAlong() throws {
        try withTrialOrigin({ _ in .answer(200, "plain") }) { plain in
            for secret in [OriginIdentity.Secret.basic(user: "me", password: "secret"), .none] {
                let identify = { (identity: inout OriginIdentity) in
                    identity.secret = secret
                    identity.fields.lines = [OriginField(name: "X-Api-Key", value: "secret")]
                }
                let redirect = "HTTP/1.1 302 Found\r\nLocation: \(plain.url("/plain"))\r\nContent-Length: 7\r\n\r\n"
                let listed = try Self.fetch(answer: redirect, elsewhere: ["http://127.0.0.1:\(plain.port)"]) {
                    identity, _ in identify(&identity)
                }
                #expect((listed.error, listed.text) == (nil, "plain"))
                let unlisted = try Self.fetch(answer: redirect) { identity, _ in identify(&identity) }
                #expect(unlisted.error == .originNotAllowed)
            }
            #expect(plain.requests.count == 2)
            for seen in plain.requests {
                #expect(Set(seen.fields.keys) == ["host", "accept", "accept-encoding"])
            }
        }
    }
}
