/// Messages between a pool and its processes.
enum SandboxMessage {
    /// Bytes of the longest one.
    static let byteLimit = 1 << 17

    enum Kind: UInt8 {
        // To the process.
        case setup = 1
        case job, answer
        // From the process.
        case ready, question, reply
    }

    /// `numbers` come first, eight bytes each.
    static func bytes(_ kind: Kind, _ numbers: [Int] = [], _ body: [UInt8] = []) -> [UInt8] {
        var bytes = [kind.rawValue, UInt8(truncatingIfNeeded: numbers.count)]
        for number in numbers {
            let word = UInt64(max(0, number))
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * place))) }
        }
        bytes.append(contentsOf: body)
        return bytes
    }

    struct Received {
        let kind: Kind
        let numbers: [Int]
        let body: ArraySlice<UInt8>
    }

    /// nil for what is no message.
    static func read(_ bytes: [UInt8]) -> Received? {
        guard bytes.count >= 2, let kind = Kind(rawValue: bytes[0]), bytes.count >= 2 + 8 * Int(bytes[1]) else {
            return nil
        }
        var numbers: [Int] = []
        for index in 0..<Int(bytes[1]) {
            var number: UInt64 = 0
            for (place, byte) in bytes[(2 + 8 * index)..<(10 + 8 * index)].enumerated() {
                number |= UInt64(byte) << UInt64(8 * place)
            }
            guard let number = Int(exactly: number) else { return nil }
            numbers.append(number)
        }
        return Received(kind: kind, numbers: numbers, body: bytes[(2 + 8 * numbers.count)...])
    }
}
