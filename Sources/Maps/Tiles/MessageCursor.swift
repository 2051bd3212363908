/// Reads Protocol Buffers fields, all checked. Unlike `Bytes.ByteCursor` it narrows to a message without a new span,
/// reports offsets from the start of the tile, and lies in the module of its loops for the optimiser.
struct MessageCursor: ~Copyable, ~Escapable {
    private let bytes: RawSpan
    private(set) var offset: Int
    /// Of the message, within the span: the reads below rely on it.
    private let end: Int

    /// A range that leaves the span is cut to it.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, range: Range<Int>) {
        self.bytes = bytes
        offset = max(0, min(range.lowerBound, bytes.byteCount))
        end = max(0, min(range.upperBound, bytes.byteCount))
    }

    var isAtEnd: Bool { offset >= end }
    var remaining: Int { end - offset }

    @inline(__always) mutating func readVarint() throws(TileError) -> UInt64 {
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

    /// The general case, kept out of the loops: nearly all values have one or two bytes.
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

    /// Protocol Buffers keeps the low 32 bits.
    @inline(__always)
    mutating func readUInt32() throws(TileError) -> UInt32 { UInt32(truncatingIfNeeded: try readVarint()) }

    mutating func readKey() throws(TileError) -> FieldKey {
        let start = offset
        return FieldKey(packed: try readVarint(), offset: start)
    }

    /// Reads a length and returns the range of that many bytes, which are skipped.
    mutating func readRange() throws(TileError) -> Range<Int> {
        let start = offset
        let count = try readVarint()
        guard count <= UInt64(remaining) else { throw .malformedTile(.truncated, offset: start) }
        let first = offset
        offset += Int(count)
        return first..<offset
    }

    mutating func readFixed<Word: FixedWidthInteger & BitwiseCopyable>() throws(TileError) -> Word {
        let count = MemoryLayout<Word>.size
        guard remaining >= count else { throw .malformedTile(.truncated, offset: offset) }
        defer { offset += count }
        return Word(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self))
    }

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
        return try readFixed()
    }

    mutating func readFixed64(of key: FieldKey) throws(TileError) -> UInt64 {
        try key.require(FieldKey.fixed64)
        return try readFixed()
    }

    /// Refuses groups (wire types 3 and 4).
    mutating func skip(_ wireType: UInt64) throws(TileError) {
        switch wireType {
        case FieldKey.varint: _ = try readVarint()
        case FieldKey.fixed64: _ = try readFixed() as UInt64
        case FieldKey.lengthDelimited: _ = try readRange()
        case FieldKey.fixed32: _ = try readFixed() as UInt32
        default: throw .malformedTile(.wireType, offset: offset)
        }
    }
}

struct FieldKey: Equatable {
    static let varint: UInt64 = 0
    static let fixed64: UInt64 = 1
    static let lengthDelimited: UInt64 = 2
    static let fixed32: UInt64 = 5

    let packed: UInt64
    let offset: Int

    var number: UInt64 { packed >> 3 }
    var wireType: UInt64 { packed & 7 }

    func require(_ wireType: UInt64) throws(TileError) {
        guard self.wireType == wireType else { throw .malformedTile(.wireType, offset: offset) }
    }
}
