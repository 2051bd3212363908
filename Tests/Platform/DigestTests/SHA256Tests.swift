import Bytes
import Digest
import Testing

@Suite("SHA-256", .timeLimit(.minutes(5)))
struct SHA256Tests {
    /// Examples of FIPS 180-4 and of NIST's SHA256ShortMsg/LongMsg files.
    /// The message is `pattern`, `count` times.
    static let vectors: [(pattern: [UInt8], count: Int, digest: String)] = [
        ([], 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (Array("abc".utf8), 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8), 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ([0xd3], 1, "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        ([0x11, 0xaf], 1, "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
        ([UInt8(ascii: "a")], 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: vectors)
    func standardVectors_giveTheirDigest(pattern: [UInt8], count: Int, digest: String) {
        let message = Array(repeatElement(pattern, count: count).joined())
        #expect(SHA256.digest(of: message).hex == digest)
        #expect(SHA256.digest(of: SharedBytes(message)).hex == digest)
    }

    @Test func textAndItsBytes_giveTheSameDigest() {
        let text = "Piazza della Signoria – città d'arte"
        #expect(SHA256.digest(of: text) == SHA256.digest(of: Array(text.utf8)))
    }

    @Test func everySplit_givesTheSameDigest() {
        let message = (0..<200).map { UInt8($0) }
        let whole = SHA256.digest(of: message)
        for cut in 0...message.count {
            var hash = SHA256()
            hash.update(Array(message[..<cut]))
            hash.update(Array(message[cut...]))
            #expect(hash.digest() == whole)
        }
    }

    @Test func aCopy_forksTheComputation() {
        var one = SHA256()
        one.update("a")
        var other = one
        one.update("b")
        other.update("c")
        #expect(one.digest() == SHA256.digest(of: "ab"))
        #expect(other.digest() == SHA256.digest(of: "ac"))
    }

    @Test func aDigestTaken_leavesTheComputationOpen() {
        var hash = SHA256()
        hash.update("a")
        #expect(hash.digest() == SHA256.digest(of: "a"))
        hash.update("b")
        #expect(hash.digest() == SHA256.digest(of: "ab"))
    }

    @Test func fields_areToldApartByTheirLengths() {
        func digest(_ fields: String...) -> Digest256 {
            var hash = SHA256()
            for field in fields { hash.update(field: field) }
            return hash.digest()
        }
        #expect(digest("ab", "c") != digest("a", "bc"))
        #expect(digest("ab", "") != digest("ab"))
        #expect(digest("", "ab") != digest("ab", ""))
    }

    @Test func numbers_areTakenInBigEndian() {
        var hash = SHA256()
        hash.update(0x0102_0304_0506_0708 as UInt64)
        #expect(hash.digest() == SHA256.digest(of: [1, 2, 3, 4, 5, 6, 7, 8]))
    }
}
