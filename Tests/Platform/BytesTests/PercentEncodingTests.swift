import Bytes
import Testing

@Suite(.timeLimit(.minutes(5))) struct PercentEncodingTests {
    @Test func everyByte_isReadBack() {
        for byte in 0...127 as ClosedRange<UInt8> {
            let text = String(decoding: [byte], as: UTF8.self)
            let encoded = PercentEncoding.encoded(text)
            #expect(PercentEncoding.decoded(encoded.utf8) == [byte])
            #expect((encoded == text) == PercentEncoding.isUnreserved(byte), "\(byte)")
            #expect(PercentEncoding.encoded(text, keeping: text) == text)
        }
        #expect(PercentEncoding.encoded("é/ü", keeping: "/") == "%C3%A9/%C3%BC")
    }

    @Test(arguments: ["%", "%4", "%4g", "%g4", "a%+1"])
    func brokenEscapes_areRefusedOrKept(_ text: String) {
        #expect(PercentEncoding.decoded(text.utf8) == nil)
        #expect(PercentEncoding.decoded(text.utf8, keepsBroken: true) == Array(text.utf8))
    }

    @Test func plus_isASpaceOnlyInForms() {
        #expect(PercentEncoding.decoded("a+%2b".utf8) == Array("a++".utf8))
        #expect(PercentEncoding.decoded("a+%2B".utf8, plusIsSpace: true) == Array("a +".utf8))
    }
}

@Suite(.timeLimit(.minutes(5))) struct TrimmingTests {
    @Test(arguments: [("", ""), (" \t", ""), ("\t a b ", "a b"), ("a", "a"), ("\n", "\n")])
    func blanks_leaveBothEnds(_ text: String, _ trimmed: String) {
        #expect(text.trimmed() == trimmed)
    }
}
