// A cursor of its own beside `Bytes.ByteCursor`: a tile is nested messages, and this one narrows to a message and widens
// again without a new span, reports offsets from the start of the tile, and lies in the module of the loops that use it, so
// that the optimiser sees through it.

/// Reads Protocol Buffers fields forward through part of a span; every read is checked.
struct MessageCursor: ~Copyable, ~Escapable {
    private let bytes: RawSpan
    /// Where the next read begins, from the start of the span.
    private(set) var offset: Int
    /// Where the message ends, at most at the end of the span: what lets the reads below go unchecked a second time.
    private let end: Int

    /// Reads `range` of `bytes`; a range that leaves the span is cut to it.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, range: Range<Int>) {
        self.bytes = bytes
        offset = max(0, min(range.lowerBound, bytes.byteCount))
        end = max(0, min(range.upperBound, bytes.byteCount))
    }

    var isAtEnd: Bool { offset >= end }
    var remaining: Int { end - offset }

    /// Reads a varint of at most 64 bits.
    @inline(__always)
    mutating func readVarint() throws(TileError) -> UInt64 {
        if offset < end {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if byte < 0x80 {
                offset &+= 1
                return UInt64(byte)
            }
            if offset &+ 1 < end {
                let next = unsafe bytes.unsafeLoad(fromByteOffset: offset &+ 1, as: UInt8.self)
                if next < 0x80 {
                    offset &+= 2
                    return UInt64(byte & 0x7f) | UInt64(next) &<< 7
                }
            }
        }
        return try readLongVarint()
    }

    /// The general case of ``readVarint()``, kept out of the loops: values of one and two bytes are nearly all there are.
    private mutating func readLongVarint() throws(TileError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < end {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            guard shift < 63 || byte <= 1 else { throw .malformedTile(.varint, offset: start) }
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .malformedTile(.truncated, offset: start)
    }

    /// Reads a varint of which Protocol Buffers keeps the low 32 bits.
    @inline(__always)
    mutating func readUInt32() throws(TileError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readVarint())
    }

    mutating func readKey() throws(TileError) -> FieldKey {
        let start = offset
        return FieldKey(packed: try readVarint(), offset: start)
    }

    /// Reads a length and gives the range of that many bytes, which are passed over.
    mutating func readRange() throws(TileError) -> Range<Int> {
        let start = offset
        let count = try readVarint()
        guard count <= UInt64(remaining) else { throw .malformedTile(.truncated, offset: start) }
        let first = offset
        offset += Int(count)
        return first..<offset
    }

    mutating func readFixed32() throws(TileError) -> UInt32 {
        guard remaining >= 4 else { throw .malformedTile(.truncated, offset: offset) }
        defer { offset += 4 }
        return UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    mutating func readFixed64() throws(TileError) -> UInt64 {
        guard remaining >= 8 else { throw .malformedTile(.truncated, offset: offset) }
        defer { offset += 8 }
        return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Reads the value of a field that is known and must have this wire type.
    mutating func readVarint(of key: FieldKey) throws(TileError) -> UInt64 {
        try key.require(FieldKey.varint)
        return try readVarint()
    }

    mutating func readRange(of key: FieldKey) throws(TileError) -> Range<Int> {
        try key.require(FieldKey.lengthDelimited)
        return try readRange()
    }

    mutating func readFixed32(of key: FieldKey) throws(TileError) -> UInt32 {
        try key.require(FieldKey.fixed32)
        return try readFixed32()
    }

    mutating func readFixed64(of key: FieldKey) throws(TileError) -> UInt64 {
        try key.require(FieldKey.fixed64)
        return try readFixed64()
    }

    /// Passes over the value of a field that is not known; groups (wire types 3 and 4) are refused.
    mutating func skip(_ wireType: UInt64) throws(TileError) {
        switch wireType {
        case FieldKey.varint: _ = try readVarint()
        case FieldKey.fixed64: _ = try readFixed64()
        case FieldKey.lengthDelimited: _ = try readRange()
        case FieldKey.fixed32: _ = try readFixed32()
        default: throw .malformedTile(.wireType, offset: offset)
        }
    }
}

/// A field's number and wire type as they stand before its value.
struct FieldKey: Equatable {
    static let varint: UInt64 = 0
    static let fixed64: UInt64 = 1
    static let lengthDelimited: UInt64 = 2
    static let fixed32: UInt64 = 5

    let packed: UInt64
    let offset: Int

    var number: UInt64 { packed >> 3 }
    var wireType: UInt64 { packed & 7 }

    /// Checks that the field, which is known, has the wire type of its definition.
    func require(_ wireType: UInt64) throws(TileError) {
        guard self.wireType == wireType else { throw .malformedTile(.wireType, offset: offset) }
    }
}
