/// Reads what `BinaryEncoder` wrote; any other bytes are an error, never a trap. Numbers of type `Int` are between ±2⁵⁰, so that
/// sums of what an untrusted process sent cannot overflow; a `Duration` is shorter than ±2⁵⁰ seconds, so that it has components.
package enum BinaryDecoder {
    package static func value<T: Decodable>(_ type: T.Type, from bytes: ArraySlice<UInt8>) throws(BinaryCodingError)
        -> T
    {
        let input = BinaryInput(bytes)
        let value: T
        do { value = try T(from: Reader(input: input)) } catch { throw .malformed }
        guard input.bytes.isEmpty else { throw .malformed }
        return value
    }

    static let intLimit = 1 << 50
    static let durations = Duration.seconds(1 - intLimit)...Duration.seconds(intLimit - 1)
}

private final class BinaryInput {
    var bytes: ArraySlice<UInt8>
    /// Types nest a few levels; what an attacker nests deeper is refused.
    var depth = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws -> Number {
        let size = Number.bitWidth / 8
        guard bytes.count >= size else { throw BinaryCodingError.malformed }
        var number: Number = 0
        for (index, byte) in bytes.prefix(size).enumerated() {
            number |= Number(truncatingIfNeeded: byte) << (8 * index)
        }
        bytes.removeFirst(size)
        return number
    }

    func take() throws -> ArraySlice<UInt8> {
        let count = Int(try number(UInt32.self))
        guard bytes.count >= count else { throw BinaryCodingError.malformed }
        defer { bytes.removeFirst(count) }
        return bytes.prefix(count)
    }

    func text() throws -> String {
        guard let text = String(validating: try take(), as: UTF8.self) else { throw BinaryCodingError.malformed }
        return text
    }
}

private struct Reader: Decoder, SingleValueDecodingContainer {
    static let depthLimit = 32

    let input: BinaryInput
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedReader<Key>(reader: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListReader(reader: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch try input.number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw BinaryCodingError.malformed
        }
    }

    func decode(_ type: String.Type) throws -> String { try input.text() }
    func decode(_ type: Double.Type) throws -> Double { Double(bitPattern: try input.number()) }
    func decode(_ type: Float.Type) throws -> Float { Float(bitPattern: try input.number()) }

    func decode(_ type: Int.Type) throws -> Int {
        let number: Int = try input.number()
        guard abs(max(number, -Int.max)) <= BinaryDecoder.intLimit else { throw BinaryCodingError.malformed }
        return number
    }

    func decode(_ type: Int8.Type) throws -> Int8 { try input.number() }
    func decode(_ type: Int16.Type) throws -> Int16 { try input.number() }
    func decode(_ type: Int32.Type) throws -> Int32 { try input.number() }
    func decode(_ type: Int64.Type) throws -> Int64 { try input.number() }
    func decode(_ type: UInt.Type) throws -> UInt { try input.number() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try input.number() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try input.number() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try input.number() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try input.number() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == [UInt8].self, let bytes = Array(try input.take()) as? T { return bytes }
        input.depth += 1
        defer { input.depth -= 1 }
        guard input.depth < Self.depthLimit else { throw BinaryCodingError.malformed }
        let value = try T(from: self)
        if type == Duration.self, let duration = value as? Duration, !BinaryDecoder.durations.contains(duration) {
            throw BinaryCodingError.malformed
        }
        return value
    }
}

private struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: Reader
    var codingPath: [any CodingKey] { [] }

    /// Asked for enumerations alone: the name of the case, which `nestedContainer` does not read again.
    var allKeys: [Key] {
        guard let name = try? reader.input.text(), let key = Key(stringValue: name) else { return [] }
        return [key]
    }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try reader.decode(type) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try optional(type) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type) }

    private func optional<T: Decodable>(_ type: T.Type) throws -> T? {
        try reader.decode(Bool.self) ? try reader.decode(type) : nil
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try reader.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { reader }
    func superDecoder(forKey key: Key) -> any Decoder { reader }
}

private struct ListReader: UnkeyedDecodingContainer {
    private let reader: Reader
    private let total: Int
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }

    init(reader: Reader) throws {
        self.reader = reader
        total = Int(try reader.input.number(UInt32.self))
    }

    /// Not told, so that nobody makes room for what a number promises.
    var count: Int? { nil }
    var isAtEnd: Bool { currentIndex >= total }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // Elements of no bytes would repeat without end.
        guard !isAtEnd, !reader.input.bytes.isEmpty else { throw BinaryCodingError.malformed }
        currentIndex += 1
        return try reader.decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey>
    {
        try reader.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try reader.unkeyedContainer() }
    func superDecoder() -> any Decoder { reader }
}
