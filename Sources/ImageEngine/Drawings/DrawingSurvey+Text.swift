import Bytes
import ImagePlan

/// Pieces of text.
extension DrawingSurvey {
    static func diagonal(_ width: Double, _ height: Double) -> Double {
        let found = (width * width + height * height).squareRoot()
        return found.isFinite ? found : 0
    }

    static func numbers(of value: ArraySlice<UInt8>) -> [Double] {
        var reader = NumberReader(value)
        var found: [Double] = []
        while found.count < 64, let token = reader.next() {
            if case .number(let number) = token { found.append(number) }
        }
        return found
    }

    /// `name` of `url(#name)`.
    static func reference(in value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let hash = value.firstIndex(of: UInt8(ascii: "#")), value[..<hash].contains(UInt8(ascii: "(")) else {
            return nil
        }
        return value[(hash + 1)...].prefix {
            $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
        }
    }

    /// What a value says must stand there: behind an entity it would not be counted.
    func refuseEntities(_ value: ArraySlice<UInt8>) throws(ImageError) {
        var rest = value
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[(start + 1)...]
            let name = rest.prefix { $0 != UInt8(ascii: ";") }
            guard ["quot", "apos", "amp", "lt", "gt"].contains(where: { name.elementsEqual($0.utf8) }) else {
                throw .tooComplex(.expansion)
            }
        }
    }

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

    func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = text.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest[rest.startIndex..<rest.startIndex]
    }

    func isSpace(_ octet: UInt8) -> Bool { octet <= 0x20 }
}
