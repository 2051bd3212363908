package enum ByteError: Error, Equatable, Sendable {
    /// `offset` is where the read or the varint, of over ten bytes or 64 bits, began.
    case truncated(offset: Int)
    case malformedVarint(offset: Int)
}

/// Reads forward through borrowed bytes; no read traps.
package struct ByteCursor: ~Copyable, ~Escapable {
    private let bytes: RawSpan

    package private(set) var offset = 0

    @_lifetime(copy bytes) package init(_ bytes: RawSpan) { self.bytes = bytes }

    package var remaining: Int { bytes.byteCount - offset }
    package var isAtEnd: Bool { remaining == 0 }

    package mutating func readByte() throws(ByteError) -> UInt8 {
        guard offset < bytes.byteCount else { throw .truncated(offset: offset) }
        defer { offset += 1 }
        return bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Protocol Buffers encoding, at most 64 bits.
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

    /// A negative count throws `truncated`.
    @_lifetime(copy self) package mutating func readSpan(count: Int) throws(ByteError) -> RawSpan {
        guard count >= 0, count <= remaining else { throw .truncated(offset: offset) }
        defer { offset += count }
        return bytes.extracting(offset..<(offset + count))
    }

    package mutating func skip(_ count: Int) throws(ByteError) {
        guard count >= 0, count <= remaining else { throw .truncated(offset: offset) }
        offset += count
    }
}
