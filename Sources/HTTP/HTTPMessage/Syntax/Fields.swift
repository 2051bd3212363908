// The bytes of all fields are in one array, and each field is four numbers into it: a parsed head costs two allocations
// however many fields it has, and text is made only on demand.

/// Fields in the order of the message; names may repeat (RFC 9110 §5.2, §5.3).
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

    private(set) var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []
    private var presence: UInt64 = 0

    package init() {}

    init(bytes: [UInt8], entries: [Entry]) {
        self.bytes = bytes
        self.entries = entries
        presence = entries.reduce(0) { $0 | FieldName.presenceBit(of: $1.fingerprint) }
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
    /// What the lines take in memory, beside a little for each.
    package var byteCount: Int { bytes.count }

    /// `value` is checked when it is written, not here.
    package mutating func append(_ name: FieldName, _ value: String) { append(name, bytes: value.utf8.span.bytes) }

    package mutating func append(_ name: FieldName, bytes value: RawSpan) {
        var entry = Entry()
        entry.fingerprint = name.fingerprint
        entry.nameStart = UInt32(clamping: bytes.count)
        entry.nameCount = UInt32(clamping: name.text.utf8.count)
        bytes.append(contentsOf: name.text.utf8)
        entry.valueStart = UInt32(clamping: bytes.count)
        entry.valueCount = UInt32(clamping: value.byteCount)
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
        entries.append(entry)
        presence |= name.presenceBit
    }

    /// The value of the first line called `name`. Bytes that are not UTF-8 become U+FFFD.
    package func first(_ name: FieldName) -> String? {
        for index in entries.indices where has(name, at: index) { return valueBytes(at: index).text }
        return nil
    }

    package func all(_ name: FieldName) -> [String] {
        entries.indices.filter { has(name, at: $0) }.map { valueBytes(at: $0).text }
    }

    package func contains(_ name: FieldName) -> Bool { firstIndex(of: name) != nil }

    /// Whether a field that makes a request conditional may occur; false for most requests, and cheap.
    package var mayBeConditional: Bool { mayContain(Self.conditionalBits) }

    func mayContain(_ presenceBits: UInt64) -> Bool { presence & presenceBits != 0 }

    private static let conditionalBits: UInt64 =
        FieldName.ifMatch.presenceBit | FieldName.ifNoneMatch.presenceBit | FieldName.ifModifiedSince.presenceBit
        | FieldName.ifUnmodifiedSince.presenceBit

    package func count(of name: FieldName) -> Int {
        var count = 0
        for index in entries.indices where has(name, at: index) { count += 1 }
        return count
    }

    package func firstIndex(of name: FieldName, from start: Int = 0) -> Int? {
        guard presence & name.presenceBit != 0 else { return nil }
        var index = max(0, start)
        while index < entries.count {
            if has(name, at: index) { return index }
            index += 1
        }
        return nil
    }

    /// Calls `body` with the trimmed value of each line called `name`, in order; no allocation.
    package func forEachLine(_ name: FieldName, _ body: (RawSpan) -> Void) {
        var line = firstIndex(of: name)
        while let index = line {
            body(valueBytes(at: index))
            line = firstIndex(of: name, from: index + 1)
        }
    }

    /// The trimmed value of line `index`; no allocation.
    @_lifetime(borrow self)
    package func valueBytes(at index: Int) -> RawSpan { bytes.span.bytes.extracting(entries[index].valueRange) }

    /// The name of line `index` as spelled; no allocation.
    @_lifetime(borrow self)
    package func nameBytes(at index: Int) -> RawSpan { bytes.span.bytes.extracting(entries[index].nameRange) }

    private func has(_ name: FieldName, at index: Int) -> Bool {
        entries[index].fingerprint == name.fingerprint && name.matches(nameBytes(at: index))
    }
}

extension Fields {
    package struct Line: Equatable, Sendable {
        package let name: String
        /// Trimmed; bytes that are not UTF-8 are U+FFFD.
        package let value: String
    }

    package var lines: [Line] {
        entries.indices.map { Line(name: nameBytes(at: $0).text, value: valueBytes(at: $0).text) }
    }
}

extension Fields: Equatable {
    /// The same lines in the same order; names compare without case.
    package static func == (left: Fields, right: Fields) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.entries.indices {
            guard left.nameBytes(at: index).equalsIgnoringCase(right.nameBytes(at: index)),
                left.valueBytes(at: index).equals(right.valueBytes(at: index))
            else { return false }
        }
        return true
    }
}
