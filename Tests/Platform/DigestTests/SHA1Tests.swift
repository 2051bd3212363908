import Digest
import Testing

@Suite(.timeLimit(.minutes(5))) struct SHA1Tests {
    private func hex(_ pieces: [ArraySlice<UInt8>]) -> String {
        var hash = SHA1()
        for piece in pieces { hash.update(piece.span.bytes) }
        return hash.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The examples of FIPS 180.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    ])
    func digests_areThoseOfTheStandard_howeverTheBytesAreCut(_ text: String, _ digest: String) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count { #expect(hex([bytes[..<split], bytes[split...]]) == digest) }
    }

    @Test func digestSoFar_endsNothing() {
        var hash = SHA1()
        hash.update(Array("ab".utf8).span.bytes)
        _ = hash.digest()
        hash.update(Array("c".utf8).span.bytes)
        #expect(hash.digest().first == 0xa9)
    }
}
