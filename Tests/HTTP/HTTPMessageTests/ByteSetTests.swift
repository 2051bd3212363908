import Testing

@testable import HTTPMessage

@Suite(.timeLimit(.minutes(5))) struct ByteSetTests {
    /// Every byte at every place of a word, beside neighbours that belong to the run.
    private func forEachByte(beside neighbours: [UInt8], _ check: (RawSpan, Int) -> Void) {
        for neighbour in neighbours {
            for place in 0..<19 {
                for byte in UInt8.min...UInt8.max {
                    var data = [UInt8](repeating: neighbour, count: 19)
                    data[place] = byte
                    for start in 0..<9 { check(data.span.bytes, start) }
                }
            }
        }
    }

    @Test func targets_endWhereTheSetSays() {
        forEachByte(beside: [UInt8(ascii: "a"), 0x7e, 0x21]) { bytes, start in
            let expected = ByteSet.targetBytes.endOfRun(in: bytes, from: start, to: 19)
            let end = ByteSet.endOfTarget(in: bytes, from: start, to: 19)
            #expect(end == expected)
        }
    }

    @Test func tokens_endWhereTheSetSays() {
        forEachByte(beside: Array("azAZ-09_|".utf8)) { bytes, start in
            let expected = ByteSet.tokenBytes.endOfRun(in: bytes, from: start, to: 19)
            let end = ByteSet.endOfToken(in: bytes, from: start, to: 19)
            #expect(end == expected)
        }
    }

    @Test func values_endAtControlBytesOtherThanTabs() {
        forEachByte(beside: [UInt8(ascii: "a"), 0x20, 0x09, 0x7e, 0x80, 0xff]) { bytes, start in
            var expected = start
            while expected < 19, bytes.byte(expected) != 0x7f,
                bytes.byte(expected) == 0x09 || bytes.byte(expected) >= 0x20
            {
                expected += 1
            }
            let end = FieldValue.endOfText(in: bytes, from: start, to: 19)
            #expect(end == expected)
        }
    }

    @Test func twoExcludedBytes_endAtTheFirst() {
        let excluded: [UInt8] = [0, 0x20, 0x22, 0x23, 0x3c, 0x3e, 0x7f, 0x80, 0xff]
        for first in excluded {
            for second in excluded {
                for (one, other) in [(0, 1), (3, 4), (0, 7), (6, 7), (8, 15)] {
                    var data = [UInt8](repeating: UInt8(ascii: "/"), count: 16)
                    data[one] = first
                    data[other] = second
                    let end = ByteSet.endOfTarget(in: data.span.bytes, from: 0, to: 16)
                    #expect(end == one)
                }
            }
        }
    }
}
