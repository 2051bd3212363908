import Bytes

// The octets of all fields lie in one array and each field is four numbers into it: a parsed head costs two
// allocations however many fields it has, and text is made only when somebody asks for it.

/// Fields in the order of the message; a name may occur several times (RFC 9110 §5.2, §5.3).
package struct Fields: Sendable {
    struct Entry: Sendable {
        var nameStart: UInt32 = 0
        var nameCount: UInt32 = 0
        var valueStart: UInt32 = 0
        var valueCount: UInt32 = 0
        var fingerprint: UInt32 = 0

        var nameRange: Range<Int> { Int(nameStart)..<(Int(nameStart) + Int(nameCount)) }
        var valueRange: Range<Int> { Int(valueStart)..<(Int(valueStart) + Int(valueCount)) }
    }

    private(set) var octets: [UInt8]
    private(set) var entries: [Entry]
    /// The presence bits of all names.
    private var presence: UInt64

    package init() {
        octets = []
        entries = []
        presence = 0
    }

    init(octets: [UInt8], entries: [Entry]) {
        self.octets = octets
        self.entries = entries
        presence = entries.reduce(0) { $0 | FieldName.presenceBit(of: $1.fingerprint) }
    }

    /// The number of field lines.
    package var count: Int { entries.count }

    /// Whether there is no field line.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a field line at the end. What it holds is checked when it is written, not here.
    package mutating func append(_ name: FieldName, _ value: String) {
        append(name, octets: value.utf8.span.bytes)
    }

    /// As `append(_:_:)` for the octets of a value.
    package mutating func append(_ name: FieldName, octets value: RawSpan) {
        var entry = Entry()
        entry.fingerprint = name.fingerprint
        entry.nameStart = UInt32(clamping: octets.count)
        entry.nameCount = UInt32(clamping: name.text.utf8.count)
        octets.append(contentsOf: name.text.utf8)
        entry.valueStart = UInt32(clamping: octets.count)
        entry.valueCount = UInt32(clamping: value.byteCount)
        value.withUnsafeBytes { octets.append(contentsOf: $0) }
        entries.append(entry)
        presence |= name.presenceBit
    }

    /// The value of the first line called `name`, or nil. Octets that are not UTF-8 become U+FFFD.
    package func first(_ name: FieldName) -> String? {
        for index in entries.indices where has(name, at: index) { return valueOctets(at: index).text }
        return nil
    }

    /// The values of all lines called `name`, in order.
    package func all(_ name: FieldName) -> [String] {
        entries.indices.filter { has(name, at: $0) }.map { valueOctets(at: $0).text }
    }

    /// Whether a line called `name` exists.
    package func contains(_ name: FieldName) -> Bool { firstIndex(of: name) != nil }

    /// Whether one of the fields that make a request conditional may occur; false in most requests, and cheap to know.
    package var mayBeConditional: Bool { mayContain(Self.conditionalBits) }

    /// Whether a name with one of these presence bits may occur.
    func mayContain(_ presenceBits: UInt64) -> Bool { presence & presenceBits != 0 }

    private static let conditionalBits: UInt64 =
        FieldName.ifMatch.presenceBit | FieldName.ifNoneMatch.presenceBit | FieldName.ifModifiedSince.presenceBit
        | FieldName.ifUnmodifiedSince.presenceBit

    /// The number of lines called `name`.
    package func count(of name: FieldName) -> Int {
        var count = 0
        for index in entries.indices where has(name, at: index) { count += 1 }
        return count
    }

    /// The position of the first line called `name` from `start` on, or nil.
    package func firstIndex(of name: FieldName, from start: Int = 0) -> Int? {
        guard presence & name.presenceBit != 0 else { return nil }
        var index = max(0, start)
        while index < entries.count {
            if has(name, at: index) { return index }
            index += 1
        }
        return nil
    }

    /// The octets of the value of line `index`, without white space around; no allocation.
    @_lifetime(borrow self)
    package func valueOctets(at index: Int) -> RawSpan {
        octets.span.bytes.extracting(entries[index].valueRange)
    }

    /// The octets of the name of line `index` as it was spelled; no allocation.
    @_lifetime(borrow self)
    package func nameOctets(at index: Int) -> RawSpan {
        octets.span.bytes.extracting(entries[index].nameRange)
    }

    private func has(_ name: FieldName, at index: Int) -> Bool {
        entries[index].fingerprint == name.fingerprint && name.matches(nameOctets(at: index))
    }
}

extension Fields {
    /// One field line as text.
    package struct Line: Equatable, Sendable {
        /// The name as it was spelled.
        package let name: String
        /// The value without white space around; octets that are not UTF-8 are U+FFFD.
        package let value: String
    }

    /// All lines in order, as text.
    package var lines: [Line] {
        entries.indices.map { Line(name: nameOctets(at: $0).text, value: valueOctets(at: $0).text) }
    }
}

extension Fields: Equatable {
    /// Whether both have the same lines in the same order; names compare without case.
    package static func == (left: Fields, right: Fields) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.entries.indices {
            guard left.nameOctets(at: index).equalsIgnoringCase(right.nameOctets(at: index)),
                left.valueOctets(at: index).equals(right.valueOctets(at: index))
            else { return false }
        }
        return true
    }
}
