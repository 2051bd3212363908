import Bytes
import ImagePlan

extension SVGInspector {
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

    /// `value` with blanks instead of references to them (`&#10;`), so that each divides numbers as what it stands for does.
    static func withBlanks(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (plain, rest) = (value, value)
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[(start + 1)...]
            let name = rest.prefix(64).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < value.endIndex, value[name.endIndex] == UInt8(ascii: ";"), isBlank(name) else {
                continue
            }
            for index in start...name.endIndex { plain[index] = UInt8(ascii: " ") }
        }
        return plain
    }

    /// Whether an entity is the number of a tab, an end of a line or a space.
    private static func isBlank(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.first == UInt8(ascii: "#") else { return false }
        let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1).drop { $0 == UInt8(ascii: "0") }
        let number = String(decoding: digits, as: UTF8.self).lowercased()
        return (isHexadecimal ? ["9", "a", "d", "20"] : ["9", "10", "13", "32"]).contains(number)
    }

    /// What a value says must stand there: behind an entity it would not be counted. Numbers of characters count as such.
    func refuseEntities(_ value: ArraySlice<UInt8>, butNumbers: Bool = false) throws(ImageError) {
        var rest = value
        while let name = Self.nextEntity(in: &rest) {
            guard butNumbers, name.first == UInt8(ascii: "#") else { throw .tooComplex(.expansion) }
        }
    }

    /// Counts what the entities in a value that is not counted itself come to, and throws where they are too much.
    mutating func noteEntities(_ value: ArraySlice<UInt8>) throws(ImageError) {
        var rest = value
        while let name = Self.nextEntity(in: &rest) {
            guard name.first != UInt8(ascii: "#") else { continue }
            entityByteCount += longestEntity
            guard entityByteCount <= DrawingLimits.byteCount else { throw .tooComplex(.expansion) }
        }
    }

    /// The name of the next entity that is none of the five that XML has, and `text` behind its beginning.
    private static func nextEntity(in text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        while let start = text.firstIndex(of: UInt8(ascii: "&")) {
            text = text[(start + 1)...]
            let name = text.prefix(64).prefix { $0 != UInt8(ascii: ";") }
            guard ["quot", "apos", "amp", "lt", "gt"].contains(where: { name.elementsEqual($0.utf8) }) else {
                return name
            }
        }
        return nil
    }
}
