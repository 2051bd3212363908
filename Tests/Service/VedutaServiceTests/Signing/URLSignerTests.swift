import Testing
import URLSigning

@testable import VedutaService

/// What `veduta sign` signs, without a server.
@Suite(.timeLimit(.minutes(5))) struct URLSignerTests {
    private static let key = SigningKey(text: "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")

    private func path(_ url: String) throws -> Substring? {
        try URLSigner.message(for: url, expires: nil).split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst().first
    }

    /// A prefix that is signed cannot be left by another spelling.
    @Test func idsOfOtherServers_areSignedInOneSpelling() throws {
        let right = try path("/assets/http%3A%2F%2Fa.example%2Fprivate%2Fb.png")
        for id in [
            "http%3A%2F%2Fa.example%2Fpublic%2F..%2Fprivate%2Fb.png", "HTTP%3A%2F%2FA.example%3A80/private/%2562.png",
            "http%3A%2F%2Fa.example%2Fpublic%2F%252e%252e%2Fprivate%2Fb.png",
        ] {
            #expect(try path("/assets/" + id) == right, "\(id)")
        }
        let key = try #require(Self.key)
        let prefix = try #require(try path("/assets/http%3A%2F%2Fa.example%2Fpublic%2Fx")?.dropLast())
        func sign(_ id: String) throws -> String {
            try URLSigner.signed("/assets/" + id, with: key, expires: nil, allow: "path=\(prefix)*")
        }
        #expect(try sign("http%3A%2F%2Fa.example%2Fpublic%2Fb.png").contains("sig="))
        #expect(throws: URLSigner.Failure.outsideSet) {
            try sign("http%3A%2F%2Fa.example%2Fpublic%2F..%2Fprivate%2Fb.png")
        }
        for (query, canonical) in [
            ("id=http://A.example/x/../b.png&w=9", "id=http://a.example/b.png&width=9"),
            ("id=a.png&default=http://A.example/%2562.png", "id=a.png&default=http://a.example/b.png"),
            ("preset=card&id=http://A.example/x/../b.png", "id=http://a.example/b.png&preset=card"),
            ("id=x/../a.png", "id=x/../a.png"), ("id=s3://bucket/Key", "id=s3://bucket/Key"),
        ] {
            #expect(try URLSigner.message(for: "/asset?" + query, expires: nil) == "veduta-1\n/asset\n\(canonical)\n")
        }
    }

    @Test func signaturesEnd_inTheFuture_andBeforeTheYear10000() throws {
        let now: Int64 = 1_800_000_000
        #expect(try URLSigner.end(expires: nil, orAfter: nil, now: now) == nil)
        #expect(try URLSigner.end(expires: now + 1, orAfter: nil, now: now) == now + 1)
        #expect(try URLSigner.end(expires: nil, orAfter: 3600, now: now) == now + 3600)
        for (expires, seconds, failure) in [
            (now, nil, .past), (-1, nil, .past), (nil, 0, .past), (nil, -9, .past), (nil, .min, .past),
            (now * 1000, nil, .farFuture), (.max, nil, .farFuture), (nil, .max, .farFuture),
        ] as [(Int64?, Int64?, URLSigner.Failure)] {
            #expect(throws: failure) { try URLSigner.end(expires: expires, orAfter: seconds, now: now) }
        }
    }
}
