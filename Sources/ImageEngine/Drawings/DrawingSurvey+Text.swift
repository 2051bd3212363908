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
}
