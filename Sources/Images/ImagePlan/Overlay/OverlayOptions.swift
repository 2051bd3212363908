import Bytes
import Colors
import Parameters

/// Options behind an overlay, each `name:value`, in any order. Collects every mistake.
struct OverlayOptions {
    /// Finds the one of `names` that was probably meant.
    typealias Suggesting = (_ name: String, _ names: [String]) -> String?

    private var values: [String: Substring] = [:]
    /// Those that are told.
    static let mistakeLimit = 8

    private var mistakes: [String] = []

    /// Reads until there are as many mistakes as are told.
    init(
        _ parts: ArraySlice<Substring>, of names: [String],
        suggesting nearest: Suggesting = Suggestion.nearest(to:among:)
    ) {
        for part in parts {
            guard mistakes.count < Self.mistakeLimit else { break }
            let name = Self.name(of: part) ?? String(part)
            if !names.contains(name) {
                let hint =
                    nearest(name, names).map { "did you mean `\($0)`?" }
                    ?? "there are \(names.joined(separator: ", "))"
                mistakes.append("`\(name.prefix(40))` is not an option of it, \(hint)")
            } else if Self.name(of: part) == nil {
                mistakes.append("`\(name)` needs a value, as in `\(name):…`")
            } else if values[name] != nil {
                mistakes.append("`\(name)` is given more than once")
            } else {
                values[name] = part.dropFirst(name.count + 1)
            }
        }
    }

    /// In lower case; nil without a colon.
    static func name(of part: Substring) -> String? {
        part.firstIndex(of: ":").map { colon in
            String(decoding: part[..<colon].utf8.map(ASCII.lowercased), as: UTF8.self)
        }
    }

    mutating func read<Value>(_ name: String, _ parse: (Substring) throws(ParameterFault.Reason) -> Value) -> Value? {
        guard let value = values[name] else { return nil }
        do {
            return try parse(value)
        } catch {
            if case .malformed(let allowed) = error { mistakes.append("`\(name)` must be \(allowed)") }
            if case .outOfRange(let allowed) = error { mistakes.append("`\(name)` must be \(allowed)") }
            return nil
        }
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String, of type: Value.Type = Value.self
    ) -> Value? where Value.RawValue == String {
        read(name) { text throws(ParameterFault.Reason) in
            guard let value = Value(rawValue: String(text)) else {
                throw .malformed(allowed: ParameterReader.list(Value.allCases.map(\.rawValue)))
            }
            return value
        }
    }

    /// A color, and a number behind a comma.
    mutating func color(
        _ name: String, and range: ClosedRange<PlainDecimal>? = nil
    ) -> (color: Color, number: PlainDecimal?)? {
        read(name) { text throws(ParameterFault.Reason) in
            let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
            let more = range.map { ", and behind a comma a number of pixels from \($0.lowerBound) to \($0.upperBound)" }
            let allowed = Color.allowed + (more ?? "")
            guard let color = Color(text: String(parts[0])), range != nil || parts.count == 1 else {
                throw .malformed(allowed: allowed)
            }
            guard parts.count > 1, let range else { return (color, nil) }
            return (color, try PlainNumber.decimal(parts[1], in: range, allowed: allowed))
        }
    }

    /// Throws what was noted, after what the whole is to look like.
    func finish(_ usage: String) throws(ParameterFault.Reason) {
        guard !mistakes.isEmpty else { return }
        throw .malformed(allowed: "\(usage); \(mistakes.prefix(Self.mistakeLimit).joined(separator: "; "))")
    }
}
