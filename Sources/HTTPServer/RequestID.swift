import Bytes

/// Names a request in answers and logs (`X-Request-Id`): the client's own id where it is a token of at most 64 octets, else
/// one that no other request has. Its text is made when somebody asks for it.
package struct RequestID: Sendable, Equatable {
    private let seed: UInt64
    private let loopIndex: UInt64
    private let number: UInt64
    /// The client's id; empty for one of our own.
    private let given: [UInt8]

    /// Takes the client's id, or nothing where it is not a short token.
    init?(given octets: RawSpan) {
        guard (1...64).contains(octets.byteCount) else { return nil }
        for offset in 0..<octets.byteCount
        where !ASCII.isTokenByte(octets.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) { return nil }
        (seed, loopIndex, number) = (0, 0, 0)
        given = octets.withUnsafeBytes { Array($0) }
    }

    /// Takes `text`, or nothing where it is not a short token.
    package init?(_ text: String) { self.init(given: text.utf8.span.bytes) }

    fileprivate init(seed: UInt64, loopIndex: UInt64, number: UInt64) {
        (self.seed, self.loopIndex, self.number) = (seed, loopIndex, number)
        given = []
    }

    /// The id as text.
    package var text: String {
        var octets: [UInt8] = []
        append(to: &octets)
        return String(decoding: octets, as: UTF8.self)
    }

    /// Appends the id: visible ASCII, no more than 64 octets.
    package func append(to octets: inout [UInt8]) {
        guard given.isEmpty else { return octets.append(contentsOf: given) }
        Self.appendDigits(seed, to: &octets)
        octets.append(UInt8(ascii: "-"))
        Self.appendDigits(loopIndex, to: &octets)
        octets.append(UInt8(ascii: "-"))
        Self.appendDigits(number, to: &octets)
    }

    func appendLine(into octets: inout [UInt8]) {
        let name: StaticString = "X-Request-Id: "
        octets.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(to: &octets)
        octets.append(0x0d)
        octets.append(0x0a)
    }

    /// Digits of five bits: no division on the way of every request.
    private static func appendDigits(_ value: UInt64, to octets: inout [UInt8]) {
        var shift = (max(64 - value.leadingZeroBitCount, 1) - 1) / 5 * 5
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 31
            octets.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            shift -= 5
        }
    }
}

/// Makes request ids: a random part that sets processes apart, the loop, and a count.
struct RequestIDGenerator {
    private let seed: UInt64
    private let loopIndex: UInt64
    private var count: UInt64 = 0

    /// Ids of one loop; 48 bits of `seed` are used.
    init(loopIndex: Int, seed: UInt64) {
        self.seed = seed >> 16
        self.loopIndex = UInt64(max(0, loopIndex))
    }

    /// The next id.
    mutating func next() -> RequestID {
        count += 1
        return RequestID(seed: seed, loopIndex: loopIndex, number: count)
    }
}
