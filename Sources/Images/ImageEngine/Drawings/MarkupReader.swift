/// What every reader of XML text needs. Nothing is expanded and nothing is thrown; what is cut off ends early.
protocol MarkupReader {
    /// The text; ASCII must be part of its encoding.
    var text: [UInt8] { get }
}

extension MarkupReader {
    func starts(with prefix: StaticString, at index: Int) -> Bool {
        text[index...].starts(with: prefix.description.utf8)
    }

    /// Behind the next `mark` from `start` on, or the end.
    func end(of mark: StaticString, from start: Int) -> Int {
        let mark = Array(mark.description.utf8)
        var index = min(start, text.count)
        while let found = text[index...].firstIndex(of: mark[0]) {
            if text[found...].starts(with: mark) { return found + mark.count }
            index = found + 1
        }
        return text.count
    }

    /// A name without its prefix.
    func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    }

    func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { Markup.trimmed(text) }

    func isSpace(_ byte: UInt8) -> Bool { Markup.isSpace(byte) }
}

/// Pieces of XML text.
enum Markup {
    static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = text.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest[rest.startIndex..<rest.startIndex]
    }
}

/// The attributes of one tag, one after another, and how the tag ends.
struct MarkupAttributes {
    private let text: [UInt8]
    /// Behind the last attribute; behind the tag where `hasEnded`.
    private(set) var index: Int
    /// Whether the tag ends inside the text. After `next` has returned nil.
    private(set) var hasEnded = false
    /// Whether the tag leaves its element open. After `next` has returned nil.
    private(set) var isOpen = false

    /// Reads `text` from `start`, which stands behind the name of a tag.
    init(_ text: [UInt8], from start: Int) {
        self.text = text
        index = start
    }

    /// The next name, with its prefix, and the value between the quotes as it stands there; nil after the last.
    mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ">") {
                (hasEnded, isOpen) = (true, text[index - 1] != UInt8(ascii: "/"))
                index += 1
                return nil
            }
            if Markup.isSpace(byte) || byte == UInt8(ascii: "/") {
                index += 1
                continue
            }
            let equals = text[index...].firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") } ?? text.count
            guard equals < text.count, text[equals] == UInt8(ascii: "=") else {
                index = equals
                continue
            }
            let name = Markup.trimmed(text[index..<equals])
            let open = text[(equals + 1)...].firstIndex { !Markup.isSpace($0) } ?? text.count
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
