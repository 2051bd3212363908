/// What no input may break was broken.
package struct BrokenInvariant: Error, CustomStringConvertible {
    /// What does not hold.
    package let description: String

    init(_ description: String) { self.description = description }

    /// Throws `description` unless `condition` holds.
    static func require(_ condition: Bool, _ description: @autoclosure () -> String) throws(BrokenInvariant) {
        if !condition { throw BrokenInvariant(description()) }
    }
}

/// Reads the bytes of a fuzzing input from the front; when nothing is left, it gives zeros.
struct FuzzInput {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func next() -> UInt8 {
        guard index < bytes.count else { return 0 }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, index + count)
        defer { index = end }
        return Array(bytes[index..<end])
    }

    mutating func rest() -> [UInt8] { take(bytes.count) }

    /// The bytes that are left, over and over, up to `count` of them; they stay.
    func repeated(count: Int) -> [UInt8] {
        guard !isAtEnd else { return [UInt8](repeating: 0, count: count) }
        return (0..<count).map { bytes[index + $0 % (bytes.count - index)] }
    }
}

/// One way to cut bytes into pieces.
struct Cuts {
    private var state: UInt64

    /// Pieces of a length that follows from `seed`.
    init(seed: UInt64) { state = seed }

    /// `bytes` in pieces of 1 to 32 bytes, one at least; every byte alone for seed 0.
    mutating func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            // A linear congruential generator; its upper bits decide.
            if state != 0 { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
            let end = min(bytes.count, start + 1 + Int(state >> 59))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces.isEmpty ? [bytes[...]] : pieces
    }
}
