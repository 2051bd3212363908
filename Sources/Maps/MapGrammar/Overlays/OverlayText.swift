import Bytes
import Colors
import Parameters

/// Splits the text of an overlay: `[name:value|…]LAT,LON|…`, `enc:polyline`, `hole:` before a ring. A backslash escapes
/// the next byte, so that values may contain `|`.
struct OverlayText {
    enum Part: Equatable {
        case option(name: String, value: String)
        case place(String)
        case line(Polyline.Precision, [UInt8])
        case hole
    }

    private var rest: Substring.UTF8View
    private var parts: [Part] = []
    private let kind: OverlayKind

    static func parts(of text: String, _ kind: OverlayKind) throws(Fault) -> [Part] {
        guard text.utf8.count <= OverlayLimits.textByteLimit else {
            throw .outOfRange(allowed: "at most \(OverlayLimits.textByteLimit) bytes long")
        }
        var reader = OverlayText(rest: Substring(text).utf8, kind: kind)
        repeat { try reader.readPart() } while try reader.skipsBar()
        return reader.parts
    }

    private var malformed: Fault { kind.malformed(parts.count + 1) }

    /// Moves past a bar; false at the end.
    private mutating func skipsBar() throws(Fault) -> Bool {
        guard let byte = rest.popFirst() else { return false }
        guard byte == UInt8(ascii: "|") else { throw malformed }
        return true
    }

    private mutating func readPart() throws(Fault) {
        if skips("hole:") { parts.append(.hole) }
        if skips("enc:") { return readLine(.five) }
        if skips("enc6:") { return readLine(.six) }
        let bytes = BarText.takePart(&rest)
        guard let first = bytes.first else { throw malformed }
        if ASCII.isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
            parts.append(.place(String(decoding: bytes, as: UTF8.self)))
        } else {
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw malformed }
            let name = String(decoding: bytes[..<colon], as: UTF8.self)
            parts.append(.option(name: name, value: String(decoding: bytes[(colon + 1)...], as: UTF8.self)))
        }
    }

    private mutating func skips(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    /// Bars are digits of polylines too. Every part that can follow has a byte that is none, a colon, comma or digit,
    /// so the line ends at the last bar before the first of these.
    private mutating func readLine(_ precision: Polyline.Precision) {
        var line = rest.prefix { (63...126).contains($0) }
        if line.endIndex < rest.endIndex, let bar = line.lastIndex(of: UInt8(ascii: "|")) { line = line[..<bar] }
        parts.append(.line(precision, Array(line)))
        rest = rest[line.endIndex...]
    }
}

struct OverlayOptions {
    let kind: OverlayKind
    private(set) var values: [OverlayOption: String] = [:]

    /// Keeps the option of part `position`.
    mutating func add(_ name: String, _ value: String, at position: Int) throws(Fault) {
        guard let option = OverlayOption(name: name), kind.options.contains(option) else {
            throw kind.unknown(name, at: position)
        }
        guard values.updateValue(value, forKey: option) == nil else {
            throw .malformed(allowed: "written with \(option.rawValue) once")
        }
        guard !value.isEmpty else { throw option.fault }
    }

    func text(_ option: OverlayOption, byteLimit: Int) throws(Fault) -> String? {
        guard let value = values[option] else { return nil }
        guard value.utf8.count <= byteLimit else { throw option.fault }
        return value
    }

    /// Rounded to four places.
    func number(_ option: OverlayOption, _ range: ClosedRange<PlainDecimal>) throws(Fault) -> Double? {
        guard let value = values[option] else { return nil }
        return try Self.number(value, range, option)
    }

    /// 1 or `true`, as Google writes it; false if it is absent.
    func flag(_ option: OverlayOption) throws(Fault) -> Bool {
        switch values[option] {
        case nil, "0", "false": return false
        case "1", "true": return true
        default: throw option.fault
        }
    }

    func numbers(
        _ option: OverlayOption, _ range: ClosedRange<PlainDecimal>, _ counts: ClosedRange<Int>
    ) throws(Fault) -> [Double]? {
        guard let value = values[option] else { return nil }
        let parts = value.split(separator: ",", maxSplits: counts.upperBound, omittingEmptySubsequences: false)
        guard counts.contains(parts.count) else { throw option.fault }
        return try parts.map { part throws(Fault) in try Self.number(part, range, option) }
    }

    func choice<Value: RawRepresentable>(
        _ option: OverlayOption, of type: Value.Type = Value.self
    ) throws(Fault) -> Value? where Value.RawValue == String {
        guard let value = values[option] else { return nil }
        guard let choice = Value(rawValue: value) else { throw option.fault }
        return choice
    }

    /// Google's `0x` may precede it.
    func color(_ option: OverlayOption) throws(Fault) -> Color? {
        guard let value = values[option] else { return nil }
        return try Self.color(value[...], option)
    }

    /// A color, optionally with a number after a comma.
    func colorAndNumber(
        _ option: OverlayOption, _ range: ClosedRange<PlainDecimal>
    ) throws(Fault) -> (Color, Double?)? {
        guard let value = values[option] else { return nil }
        let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let color = try Self.color(parts[0], option)
        return (color, parts.count > 1 ? try Self.number(parts[1], range, option) : nil)
    }

    private static func color(_ text: Substring, _ option: OverlayOption) throws(Fault) -> Color {
        let isMarked = text.hasPrefix("0x") || text.hasPrefix("0X")
        guard let color = Color(text: isMarked ? "#" + text.dropFirst(2) : String(text)) else { throw option.fault }
        return color
    }

    private static func number(
        _ text: some StringProtocol, _ range: ClosedRange<PlainDecimal>, _ option: OverlayOption
    ) throws(Fault) -> Double {
        guard let number = try? PlainNumber.decimal(text), range.contains(number) else { throw option.fault }
        return OverlayNumber.rounded(number.double)
    }
}
