import Digest
import Testing

@Suite("Digest value and comparison")
struct Digest256Tests {
    @Test func octets_comeBackAsGiven() throws {
        let octets = (0..<32).map { UInt8($0 * 7 & 0xff) }
        let digest = try #require(Digest256(octets: octets))
        #expect(digest.octets == octets)
        #expect(digest.leadingWord == 0x0007_0e15_1c23_2a31)
        #expect(Digest256(octets: digest.octets) == digest)
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func wrongLengths_areRefused(count: Int) {
        #expect(Digest256(octets: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func base64URL_isRFC4648WithoutPadding() throws {
        var octets = [UInt8](repeating: 0, count: 32)
        octets.replaceSubrange(0..<6, with: Array("foobar".utf8))
        let digest = try #require(Digest256(octets: octets))
        let prefixes = ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"]
        for (count, text) in prefixes.enumerated() { #expect(digest.base64URL(octetCount: count) == text) }
        #expect(digest.base64URL(octetCount: 16).count == 22)
        #expect(digest.base64URL().count == 43)
        #expect(digest.base64URL(octetCount: 99) == digest.base64URL())
        #expect(digest.base64URL(octetCount: -1) == "")
    }

    @Test func base64URL_usesTheURLAlphabet() throws {
        let digest = try #require(Digest256(octets: [UInt8](repeating: 0xff, count: 31) + [0xbe]))
        #expect(digest.base64URL(octetCount: 3) == "____")
        #expect(digest.base64URL().hasSuffix("74"))
        let high = try #require(Digest256(octets: [UInt8](repeating: 0xfb, count: 32)))
        #expect(high.base64URL(octetCount: 3) == "-_v7")
    }

    @Test func digests_workAsDictionaryKeys() {
        let digests = (0..<1000).map { SHA256.digest(of: "\($0)") }
        #expect(Set(digests).count == 1000)
    }

    @Test func constantTimeComparison_agreesWithPlainEquality() {
        let texts = ["", "a", "b", "ab", "token", "tokem", "Token", "token\0", "città"]
        for left in texts {
            for right in texts { #expect(constantTimeEquals(left, right) == (left == right)) }
        }
    }
}
