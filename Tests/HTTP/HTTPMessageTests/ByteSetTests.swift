import Testing

@testable import HTTPMessage

@Suite(.timeLimit(.minutes(5))) struct ByteSetTests {
    /// Every byte at every place of a word, with ordinary neighbours and with others that are excluded before and behind it.
    @Test func targets_endWhereTheSetSays() {
        for neighbour: UInt8 in [UInt8(ascii: "a"), 0x7e, 0x21] {
            for place in 0..<19 {
                for byte in UInt8.min...UInt8.max {
                    var data = [UInt8](repeating: neighbour, count: 19)
                    data[place] = byte
                    let bytes = data.span.bytes
                    for start in 0..<9 {
                        let expected = ByteSet.targetBytes.endOfRun(in: bytes, from: start, to: 19)
                        #expect(ByteSet.endOfTarget(in: bytes, from: start, to: 19) == expected)
                    }
                }
            }
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
