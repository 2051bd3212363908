/// Reads numbers bit by bit, the highest bit of each byte first. Past the end it reads 0, and says so.
struct BitReader {
    private let bytes: [UInt8]
    /// In bits.
    private var place = 0
    private(set) var isPastEnd = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number of `count` bits, 0–32.
    mutating func number(_ count: Int) -> Int {
        let start = place
        skip(count)
        guard !isPastEnd else { return 0 }
        var number = 0
        for bit in start..<place {
            let byte = Int(bytes[bit / 8])
            number = (number << 1) | ((byte >> (7 - bit % 8)) & 1)
        }
        return number
    }

    mutating func flag() -> Bool { number(1) == 1 }

    /// `count` is not negative.
    mutating func skip(_ count: Int) {
        guard !isPastEnd, count <= bytes.count * 8 - place else {
            isPastEnd = true
            return
        }
        place += count
    }

    /// An Exp-Golomb code (ITU-T H.265 §9.2; `uvlc` of AV1 §4.10.3). Counts as past the end with more than 31 zeros, which
    /// decoders read in different ways.
    mutating func exponential() -> Int {
        var zeroCount = 0
        while !isPastEnd, !flag() { zeroCount += 1 }
        guard zeroCount < 32, !isPastEnd else {
            isPastEnd = true
            return 0
        }
        return (1 << zeroCount) - 1 + number(zeroCount)
    }
}
