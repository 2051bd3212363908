import Testing

@testable import SharedCache

@Suite(.timeLimit(.minutes(5))) struct RedisAddressTests {
    @Test func address_hasDefaults() throws {
        let address = try #require(RedisAddress("redis://cache.example"))
        #expect(address.host == "cache.example" && address.port == 6379)
        #expect(address.user.isEmpty && address.password.isEmpty && address.database == 0)
    }

    @Test func address_namesEverything_andShowsNoSecret() throws {
        let address = try #require(RedisAddress("redis://fleet:p%40s:s%2Fw@[::1]:7000/3"))
        #expect(address.host == "::1" && address.port == 7000 && address.database == 3)
        #expect(address.user == "fleet" && address.password == "p@s:s/w")
        #expect(address.shown == "redis://[::1]:7000/3" && "\(address)" == address.shown)
        #expect(!String(reflecting: [address]).contains("s/w"))
    }

    @Test func password_needsNoUser() {
        #expect(RedisAddress("redis://:secret@host/")?.password == "secret")
    }

    @Test(arguments: [
        "", "redis://", "rediss://host", "http://host", "redis://host:0", "redis://host:65536", "redis://host:+1",
        "redis://user@host", "redis://user:@host", "redis://a:b@c:d@host", "redis://ho st", "redis://host/x",
        "redis://host/1024", "redis://host/1/2", "redis://[::1", "redis://:%zz@host", "redis://:%ff@host",
        "redis://host?x=1", "redis://" + String(repeating: "a", count: 1100),
    ])
    func otherTexts_areRefused(text: String) { #expect(RedisAddress(text) == nil) }
}
