/// Writes `Encodable` values as bytes for another process of the same program: values follow each other without names, in
/// the order in which they are encoded, so only the same build can read them. Optionals are written as members of a type,
/// not as elements of an array.
package enum BinaryEncoder {
    package static func bytes(of value: some Encodable) throws(BinaryCodingError) -> [UInt8] {
        let output = BinaryOutput()
        do { try value.encode(to: Writer(output: output)) } catch { throw .unsupported }
        return output.bytes
    }
}

package enum BinaryCodingError: Error, Equatable, Sendable {
    /// Bytes that no `BinaryEncoder` wrote.
    case malformed
    case unsupported
}

private final class BinaryOutput {
    var bytes: [UInt8] = []

    func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    func append(_ text: String) {
        append(UInt32(clamping: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// A container of every kind.
private struct Writer: Encoder, SingleValueEncodingContainer {
    let output: BinaryOutput
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedWriter<Key>(writer: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ListWriter(writer: self) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { throw BinaryCodingError.unsupported }
    func encode(_ value: Bool) { output.append(value ? 1 as UInt8 : 0) }
    func encode(_ value: String) { output.append(value) }
    func encode(_ value: Double) { output.append(value.bitPattern) }
    func encode(_ value: Float) { output.append(value.bitPattern) }
    func encode(_ value: Int) { output.append(value) }
    func encode(_ value: Int8) { output.append(value) }
    func encode(_ value: Int16) { output.append(value) }
    func encode(_ value: Int32) { output.append(value) }
    func encode(_ value: Int64) { output.append(value) }
    func encode(_ value: UInt) { output.append(value) }
    func encode(_ value: UInt8) { output.append(value) }
    func encode(_ value: UInt16) { output.append(value) }
    func encode(_ value: UInt32) { output.append(value) }
    func encode(_ value: UInt64) { output.append(value) }

    func encode<T: Encodable>(_ value: T) throws {
        if T.self == [UInt8].self, let bytes = value as? [UInt8] {
            output.append(UInt32(clamping: bytes.count))
            output.bytes.append(contentsOf: bytes)
        } else {
            try value.encode(to: self)
        }
    }
}

private struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: Writer
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try writer.encodeNil() }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try writer.encode(value) }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        writer.encode(value != nil)
        if let value { try writer.encode(value) }
    }

    /// The case of an enumeration.
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        writer.encode(key.stringValue)
        return writer.container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { writer.unkeyedContainer() }
    func superEncoder() -> any Encoder { writer }
    func superEncoder(forKey key: Key) -> any Encoder { writer }
}

extension KeyedWriter {
    // Without these the compiler takes the defaults of the protocol, which write no mark for a missing value.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value) }

    private func optional(_ value: (some Encodable)?) throws {
        writer.encode(value != nil)
        if let value { try writer.encode(value) }
    }
}

/// The number of elements stands before them and is corrected with each.
private struct ListWriter: UnkeyedEncodingContainer {
    private let writer: Writer
    private let start: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(writer: Writer) {
        self.writer = writer
        start = writer.output.bytes.count
        writer.output.append(UInt32(0))
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        count += 1
        for (index, byte) in withUnsafeBytes(of: UInt32(clamping: count).littleEndian, Array.init).enumerated() {
            writer.output.bytes[start + index] = byte
        }
        try writer.encode(value)
    }

    func encodeNil() throws { throw BinaryCodingError.unsupported }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        writer.container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer.unkeyedContainer() }
    func superEncoder() -> any Encoder { writer }
}
