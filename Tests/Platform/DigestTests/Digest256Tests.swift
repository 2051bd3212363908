import Digest
import Testing

@Suite("Digest value and comparison", .timeLimit(.minutes(5)))
struct Digest256Tests {
    @Test func bytes_comeBackAsGiven() throws {
        let bytes = (0..<32).map { UInt8($0 * 7 & 0xff) }
        let digest = try #require(Digest256(bytes: bytes))
        #expect(digest.bytes == bytes)
        #expect(digest.leadingWord == 0x0007_0e15_1c23_2a31)
        #expect(Digest256(bytes: digest.bytes) == digest)
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func wrongLengths_areRefused(count: Int) {
        #expect(Digest256(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func base64URL_isRFC4648WithoutPadding() throws {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes.replaceSubrange(0..<6, with: Array("foobar".utf8))
        let digest = try #require(Digest256(bytes: bytes))
        let prefixes = ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"]
        for (count, text) in prefixes.enumerated() { #expect(digest.base64URL(byteCount: count) == text) }
        #expect(digest.base64URL(byteCount: 16).count == 22)
        #expect(digest.base64URL().count == 43)
        #expect(digest.base64URL(byteCount: 99) == digest.base64URL())
        #expect(digest.base64URL(byteCount: -1) == "")
    }

    @Test func base64URL_usesTheURLAlphabet() throws {
        let digest = try #require(Digest256(bytes: [UInt8](repeating: 0xff, count: 31) + [0xbe]))
        #expect(digest.base64URL(byteCount: 3) == "____")
        #expect(digest.base64URL().hasSuffix("74"))
        let high = try #require(Digest256(bytes: [UInt8](repeating: 0xfb, count: 32)))
        #expect(high.base64URL(byteCount: 3) == "-_v7")
    }

    @Test func base64URL_isReadBack_inOneSpellingOnly() {
        for number in 0..<200 {
            let digest = SHA256.digest(of: "\(number)")
            let text = digest.base64URL()
            #expect(Digest256(base64URL: text) == digest)
            // The last character has four bits of the digest; the other two are zero.
            let others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".filter { character in
                Digest256(base64URL: text.dropLast() + String(character)) != nil
            }
            #expect(others.count == 16)
        }
    }

    @Test(arguments: ["", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44)])
    func base64URLOfAnotherLength_isRefused(_ text: String) {
        #expect(Digest256(base64URL: text) == nil)
    }

    @Test(arguments: ["+", "/", "=", " ", "é", "\0"])
    func charactersOutsideTheAlphabet_areRefused(_ character: String) {
        #expect(Digest256(base64URL: character + String(repeating: "A", count: 42)) == nil)
        #expect(Digest256(base64URL: String(repeating: "A", count: 42) + character) == nil)
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
