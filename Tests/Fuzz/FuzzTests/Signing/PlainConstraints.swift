// Written from the rules of docs/SIGNING.md without a look at how the server reads, so that the two can disagree.

import Parameters
import URLSigning

/// The constraints of a set in ASCII, by their bytes.
struct PlainConstraints {
    private typealias Text = [UInt8]

    private struct Row {
        let name: Text
        /// nil: any.
        var values: [Text]?
        var most: PlainDecimal?
        let isOptional: Bool
    }

    private var paths: [Text] = []
    private var rows: [Row] = []

    init?(_ text: String) {
        guard text.utf8.count <= 1024, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        let parts = Self.split(Array(text.utf8), ";")
        guard parts.count <= 32, parts[0].starts(with: "path=/".utf8) else { return nil }
        for path in Self.split(Array(parts[0].dropFirst(5)), "|") {
            let star = path.firstIndex(of: UInt8(ascii: "*"))
            guard path.first == UInt8(ascii: "/"),
                star == nil || (star == path.count - 1 && path[path.count - 2] == UInt8(ascii: "/"))
            else { return nil }
            paths.append(path)
        }
        for part in parts.dropFirst() {
            guard let row = Self.row(part), !rows.contains(where: { $0.name == row.name }) else { return nil }
            rows.append(row)
        }
    }

    func allows(_ resource: SignedResource) -> Bool {
        let path = Array(resource.path.utf8)
        let isPath = paths.contains { $0.last == UInt8(ascii: "*") ? path.starts(with: $0.dropLast()) : path == $0 }
        guard isPath, let items = try? QueryItems.parse(resource.query) else { return false }
        let names = items.map { Text($0.name.utf8) }
        guard rows.allSatisfy({ $0.isOptional || names.contains($0.name) }) else { return false }
        for item in items {
            guard let row = rows.first(where: { $0.name == Text(item.name.utf8) }) else { return false }
            if let values = row.values, !values.contains(Text(item.value.utf8)) { return false }
            if let most = row.most {
                guard let number = try? PlainNumber.decimal(item.value), number <= most else { return false }
            }
        }
        return true
    }

    private static func row(_ part: Text) -> Row? {
        let isOptional = part.last == UInt8(ascii: "?")
        let body = isOptional ? Text(part.dropLast()) : part
        let name = Text(body.prefix { (0x61...0x7a).contains($0) })
        let rest = Text(body.dropFirst(name.count))
        guard !name.isEmpty else { return nil }
        if rest.isEmpty { return isOptional ? Row(name: name, isOptional: true) : nil }
        if rest.starts(with: "<=".utf8) {
            guard let most = try? PlainNumber.decimal(String(decoding: rest.dropFirst(2), as: UTF8.self)) else {
                return nil
            }
            return Row(name: name, most: most, isOptional: isOptional)
        }
        guard rest.first == UInt8(ascii: "="), rest.count > 1 else { return nil }
        var values: [Text] = []
        for value in split(Text(rest.dropFirst()), "|") {
            guard let decoded = decoded(value), String(validating: decoded, as: UTF8.self) != nil else { return nil }
            values.append(decoded)
        }
        return Row(name: name, values: values, isOptional: isOptional)
    }

    private static func split(_ text: Text, _ separator: Unicode.Scalar) -> [Text] {
        text.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map(Text.init)
    }

    private static func decoded(_ text: Text) -> Text? {
        var bytes: Text = []
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "%") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 2 < text.count, let high = Character(Unicode.Scalar(text[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(text[index + 2])).hexDigitValue
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
            index += 3
        }
        return bytes
    }
}
