import Bytes
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct Base64Tests {
    @Test func base64_isThatOfTheStandard() {
        for count in 0...70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.text(of: bytes) == text)
            #expect(Base64.bytes(text.utf8) == bytes)
            #expect(Base64.bytes(text.utf8.filter { $0 != UInt8(ascii: "=") }) == bytes)
        }
        for text in ["=", "A", "A===", "AA=", "AAA==", "AA==A", "AB==", "AAB=", "AAAA====", "AA=A", "A A=", "-_AA"] {
            #expect(Base64.bytes(text.utf8) == nil, "\(text)")
        }
    }

    @Test func theAlphabetOfURLsIsAnother() {
        #expect(Base64.bytes("-_-_".utf8, .url) == [0xfb, 0xff, 0xbf])
        #expect(Base64.bytes("+/+/".utf8) == [0xfb, 0xff, 0xbf])
        #expect(Base64.bytes("+/+/".utf8, .url) == nil)
    }
}
