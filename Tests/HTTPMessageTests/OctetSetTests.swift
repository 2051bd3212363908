import Testing

@testable import HTTPMessage

@Suite(.timeLimit(.minutes(5))) struct OctetSetTests {
    /// Every octet at every place of a word, with ordinary neighbours and with others that are excluded before and behind it.
    @Test func targets_endWhereTheSetSays() {
        for neighbour: UInt8 in [UInt8(ascii: "a"), 0x7e, 0x21] {
            for place in 0..<19 {
                for octet in UInt8.min...UInt8.max {
                    var octets = [UInt8](repeating: neighbour, count: 19)
                    octets[place] = octet
                    let bytes = octets.span.bytes
                    for start in 0..<9 {
                        let expected = OctetSet.targetOctets.endOfRun(in: bytes, from: start, to: 19)
                        #expect(OctetSet.endOfTarget(in: bytes, from: start, to: 19) == expected)
                    }
                }
            }
        }
    }

    @Test func twoExcludedOctets_endAtTheFirst() {
        let excluded: [UInt8] = [0, 0x20, 0x22, 0x23, 0x3c, 0x3e, 0x7f, 0x80, 0xff]
        for first in excluded {
            for second in excluded {
                for (one, other) in [(0, 1), (3, 4), (0, 7), (6, 7), (8, 15)] {
                    var octets = [UInt8](repeating: UInt8(ascii: "/"), count: 16)
                    octets[one] = first
                    octets[other] = second
                    let end = OctetSet.endOfTarget(in: octets.span.bytes, from: 0, to: 16)
                    #expect(end == one)
                }
            }
        }
    }
}
