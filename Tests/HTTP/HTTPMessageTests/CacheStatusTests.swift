import HTTPMessage
import Testing

/// The text of Cache-Status (RFC 9211 §2).
@Suite(.timeLimit(.minutes(5))) struct CacheStatusTests {
    @Test func everyPart_isWritten() {
        var status = CacheStatus(.hit, timeToLive: 376)
        #expect(status.text == "veduta; hit; ttl=376")
        status.timeToLive = -412
        #expect(status.text == "veduta; hit; ttl=-412")
        status = CacheStatus(.forward(.stale), cache: "origins")
        (status.forwardStatus, status.timeToLive, status.isStored, status.isCollapsed) = (304, 0, true, true)
        (status.key, status.detail) = ("/a", "late")
        #expect(status.text == "origins; fwd=stale; fwd-status=304; ttl=0; stored; collapsed; key=\"/a\"; detail=late")
        #expect(CacheStatus(.own).text == "veduta")
        #expect(CacheStatus(.hit, timeToLive: .min).text == "veduta; hit; ttl=-9223372036854775808")
    }

    @Test func everyReason_hasItsToken() {
        let tokens = CacheStatus.Forward.allCases.map { CacheStatus(.forward($0)).text }
        let names = ["bypass", "method", "uri-miss", "vary-miss", "miss", "request", "stale"]
        #expect(tokens == names.map { "veduta; fwd=\($0)" })
    }

    @Test func key_isAlwaysAStructuredString() {
        var status = CacheStatus(.hit)
        status.key = "a\"b\\c\u{e9}\r\n%"
        #expect(status.text == "veduta; hit; key=\"a\\\"b\\\\c%C3%A9%0D%0A%\"")
    }
}
