/// Why a cursor could not read on.
package enum ByteError: Error, Equatable, Sendable {
    /// Fewer bytes are left than asked for; `offset` is where the read began.
    case truncated(offset: Int)
    /// A varint that is longer than ten bytes or overflows 64 bits; `offset` is where it began.
    case malformedVarint(offset: Int)
}

/// Reads forward through borrowed bytes; every read is checked, none traps.
package struct ByteCursor: ~Copyable, ~Escapable {
    private let bytes: RawSpan

    /// Where the next read begins, from the start of the span.
    package private(set) var offset = 0

    /// Starts at the first byte of `bytes`.
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) {
        self.bytes = bytes
    }

    /// How many bytes are left.
    package var remaining: Int { bytes.byteCount - offset }

    package var isAtEnd: Bool { remaining == 0 }

    package mutating func readByte() throws(ByteError) -> UInt8 {
        guard offset < bytes.byteCount else { throw .truncated(offset: offset) }
        defer { offset += 1 }
        return bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Reads a little-endian integer of the type's width.
    package mutating func readLittleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws(ByteError) -> Value {
        let width = MemoryLayout<Value>.size
        guard remaining >= width else { throw .truncated(offset: offset) }
        defer { offset += width }
        return Value(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// Reads a base-128 varint of at most 64 bits (Protocol Buffers encoding).
    package mutating func readVarint() throws(ByteError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try readByte()
            if shift == 63, byte > 1 { throw .malformedVarint(offset: start) }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { throw .malformedVarint(offset: start) }
        }
    }

    /// Reads `count` bytes as a sub-span; a negative count is truncation.
    @_lifetime(copy self)
    package mutating func readSpan(count: Int) throws(ByteError) -> RawSpan {
        guard count >= 0, count <= remaining else { throw .truncated(offset: offset) }
        defer { offset += count }
        return bytes.extracting(offset..<(offset + count))
    }

    /// Moves past `count` bytes.
    package mutating func skip(_ count: Int) throws(ByteError) {
        guard count >= 0, count <= remaining else { throw .truncated(offset: offset) }
        offset += count
    }
}
