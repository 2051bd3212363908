import Testing

@testable import ServiceConfiguration

@Suite(.timeLimit(.minutes(5))) struct AllowedOriginsTests {
    @Test(arguments: [
        ("off", AllowedOrigins.none), ("*", .any), ("https://example.org", .list(["https://example.org"])),
        ("HTTPS://Example.ORG:443, http://localhost:3000", .list(["https://example.org", "http://localhost:3000"])),
        ("http://[::1]:80,http://[::1]", .list(["http://[::1]"])),
    ])
    func origins_areReadInTheSpellingOfBrowsers(_ text: String, _ origins: AllowedOrigins) {
        #expect(AllowedOrigins(text) == origins)
    }

    @Test(arguments: [
        "", "none", "null", "*,https://a.org", "example.org", "https://", "https://a.org/", "https://a.org,",
        "ftp://a.org", "https://a b.org", "https://a.org\r\nX: y", "https://*.a.org", "https://user@a.org",
        "https://:80",
    ])
    func whatIsNoOrigin_isRefused(_ text: String) { #expect(AllowedOrigins(text) == nil) }

    @Test func tooManyOrigins_areRefused() {
        let origins = (0...AllowedOrigins.limit).map { "https://a\($0).org" }
        #expect(AllowedOrigins(origins.joined(separator: ",")) == nil)
        #expect(AllowedOrigins(origins.dropLast().joined(separator: ",")) != nil)
    }
}
