import Bytes

/// `X-Request-Id`: the client's own if it is a token of at most 64 bytes, otherwise a unique one.
package struct RequestID: Sendable, Equatable {
    /// Process and loop of the id, and its number there: numbers, so that copying an id of ours is free.
    private let origin: UInt64
    private let number: UInt64
    private let given: [UInt8]?

    package static let byteLimit = 64

    /// Nil unless `bytes` are a short token.
    init?(given bytes: RawSpan) {
        guard (1...Self.byteLimit).contains(bytes.byteCount) else { return nil }
        for offset in 0..<bytes.byteCount
        where !ASCII.isTokenByte(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) { return nil }
        (origin, number) = (0, 0)
        given = bytes.withUnsafeBytes { Array($0) }
    }

    package init?(_ text: String) { self.init(given: text.utf8.span.bytes) }

    fileprivate init(origin: UInt64, number: UInt64) {
        (self.origin, self.number) = (origin, number)
        given = nil
    }

    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Differs from request to request, as far as clients do not repeat the ids that they give.
    package var seed: UInt64 {
        guard let given else { return origin ^ number &* 0x9e37_79b9_7f4a_7c15 }
        return given.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    /// Visible ASCII.
    package func append(to bytes: inout [UInt8]) { Self.append(to: &bytes) { write(to: $0) } }

    /// Returns how many bytes of visible ASCII it wrote; there is room for `byteLimit`.
    package func write(to place: UnsafeMutableRawBufferPointer) -> Int {
        if let given {
            place.copyBytes(from: given)
            return given.count
        }
        let count = Self.writePrefix(origin, to: place)
        return count + Self.writeDigits(number, to: place, from: count)
    }

    fileprivate func isFrom(_ origin: UInt64) -> Bool { given == nil && origin == self.origin }

    fileprivate func appendNumber(to bytes: inout [UInt8]) {
        Self.append(to: &bytes) { Self.writeDigits(number, to: $0, from: 0) }
    }

    fileprivate static func appendPrefix(_ origin: UInt64, to bytes: inout [UInt8]) {
        append(to: &bytes) { writePrefix(origin, to: $0) }
    }

    private static func append(to bytes: inout [UInt8], _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        withUnsafeTemporaryAllocation(byteCount: byteLimit, alignment: 1) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<write($0)]))
        }
    }

    private static func writePrefix(_ origin: UInt64, to place: UnsafeMutableRawBufferPointer) -> Int {
        var count = writeDigits(origin >> 16, to: place, from: 0)
        place[count] = UInt8(ascii: "-")
        count += 1 + writeDigits(origin & 0xffff, to: place, from: count + 1)
        place[count] = UInt8(ascii: "-")
        return count + 1
    }

    /// Digits of five bits: no division for every request. At most 13.
    private static func writeDigits(_ value: UInt64, to place: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        let count = (max(64 - value.leadingZeroBitCount, 1) + 4) / 5
        var rest = value
        for index in stride(from: start + count - 1, through: start, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest) & 31
            place[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            rest >>= 5
        }
        return count
    }
}

/// Makes request ids: a random part that tells processes apart, the loop, and a count.
struct RequestIDGenerator {
    private let origin: UInt64
    /// The field line up to the number.
    private let lineStart: [UInt8]
    private let lineName = Array("X-Request-Id: ".utf8)
    private var count: UInt64 = 0

    /// Uses 48 bits of `seed`.
    init(loopIndex: Int, seed: UInt64) {
        origin = seed & ~0xffff | UInt64(min(max(0, loopIndex), 0xffff))
        var line = lineName
        RequestID.appendPrefix(origin, to: &line)
        lineStart = line
    }

    mutating func next() -> RequestID {
        count += 1
        return RequestID(origin: origin, number: count)
    }

    /// Appends the field line of `id`; quicker for an id made here.
    func appendLine(_ id: RequestID, to bytes: inout [UInt8]) {
        if id.isFrom(origin) {
            bytes.append(contentsOf: lineStart)
            id.appendNumber(to: &bytes)
        } else {
            bytes.append(contentsOf: lineName)
            id.append(to: &bytes)
        }
        bytes.append(0x0d)
        bytes.append(0x0a)
    }
}
