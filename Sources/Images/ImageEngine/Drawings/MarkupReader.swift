import Bytes

/// What every reader of XML text needs. Nothing is expanded, nothing throws; truncated markup ends early.
protocol MarkupReader {
    /// In an encoding that includes ASCII.
    var text: [UInt8] { get }
}

extension UInt8 {
    /// White space or a control character.
    var isBlank: Bool { self <= 0x20 }
}

/// The parts of a text between separators, without empty ones, each found when it is asked for. An array of them would
/// take up to 16 times the memory of the text.
struct TextParts: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private let isSeparator: (UInt8) -> Bool

    init(_ text: ArraySlice<UInt8>, separator isSeparator: @escaping (UInt8) -> Bool) {
        (rest, self.isSeparator) = (text, isSeparator)
    }

    mutating func next() -> ArraySlice<UInt8>? {
        rest = rest.drop(while: isSeparator)
        guard !rest.isEmpty else { return nil }
        let part = rest.prefix { !isSeparator($0) }
        rest = rest[part.endIndex...]
        return part
    }
}

extension MarkupReader {
    func starts(with prefix: StaticString, at index: Int) -> Bool {
        text[index...].starts(with: prefix.description.utf8)
    }

    /// The index after the next `mark` from `start` on, or the end.
    func end(of mark: StaticString, from start: Int) -> Int {
        let mark = Array(mark.description.utf8)
        var index = min(start, text.count)
        while let found = text[index...].firstIndex(of: mark[0]) {
            if text[found...].starts(with: mark) { return found + mark.count }
            index = found + 1
        }
        return text.count
    }

    func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    }
}

/// Iterates over the attributes of one tag and notes how the tag ends.
struct MarkupAttributes {
    private let text: [UInt8]
    /// After the last attribute; after the tag where `hasEnded`.
    private(set) var index: Int
    /// Whether the tag ends inside the text; valid after `next` has returned nil.
    private(set) var hasEnded = false
    /// Whether the tag leaves its element open; valid after `next` has returned nil.
    private(set) var isOpen = false

    /// `start` is the index after the name of the tag.
    init(_ text: [UInt8], from start: Int) {
        self.text = text
        index = start
    }

    /// The next name, with its prefix, and the raw value between the quotes; nil after the last.
    mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ">") {
                (hasEnded, isOpen) = (true, text[index - 1] != UInt8(ascii: "/"))
                index += 1
                return nil
            }
            if byte.isBlank || byte == UInt8(ascii: "/") {
                index += 1
                continue
            }
            let equals = text[index...].firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") } ?? text.count
            guard equals < text.count, text[equals] == UInt8(ascii: "=") else {
                index = equals
                continue
            }
            let name = text[index..<equals].trimmed(\.isBlank)
            let open = text[(equals + 1)...].firstIndex { !$0.isBlank } ?? text.count
            guard open < text.count, text[open] == UInt8(ascii: "\"") || text[open] == UInt8(ascii: "'") else {
                index = open
                continue
            }
            let close = text[(open + 1)...].firstIndex(of: text[open]) ?? text.count
            index = min(text.count, close + 1)
            return (name, text[(open + 1)..<close])
        }
        return nil
    }
}
