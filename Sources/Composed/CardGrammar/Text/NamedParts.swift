import Colors
import Parameters

/// Values with names between bars: `votes:12|color:f80|Label`. The last part may be the main value alone.
struct NamedParts {
    let names: [String]
    /// The name of the main value.
    let main: String
    /// Continues "must be".
    let usage: String

    func read(_ text: String) throws(Fault) -> [String: String] {
        var values: [String: String] = [:]
        let parts = BarText.parts(of: text)
        for (index, part) in parts.enumerated() {
            let (name, value) = try split(part, isLast: index == parts.count - 1, position: index + 1)
            guard values.updateValue(value, forKey: name) == nil else {
                throw .malformed(allowed: "\(usage), with `\(name)` once")
            }
        }
        return values
    }

    private func split(_ part: String, isLast: Bool, position: Int) throws(Fault) -> (name: String, value: String) {
        let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if pieces.count == 2, names.contains(String(pieces[0])) { return (String(pieces[0]), String(pieces[1])) }
        guard !isLast else { return (main, part) }
        let nearest = Suggestion.nearest(to: String(pieces.first ?? ""), among: names)
        let hint = nearest.map { "did you mean `\($0)`?" } ?? "there are \(ParameterReader.list(names))"
        throw .malformed(allowed: "\(usage); part \(position) is not an option of it, \(hint)")
    }

    /// The main value as the last part: with its name where it begins like another one.
    func mainPart(_ value: String) -> String {
        BarText.escaped((names.contains { value.hasPrefix($0 + ":") } ? main + ":" : "") + value)
    }

    static func flag(_ value: String?, _ name: String) throws(Fault) -> Bool {
        guard let value else { return false }
        guard value == "1" || value == "0" else { throw .malformed(allowed: "written so that \(name) is 0 or 1") }
        return value == "1"
    }

    static func opaque(_ text: String) throws(Fault) -> Color {
        guard let color = Color(text: text), color.isOpaque else {
            throw .malformed(allowed: "a color without transparency: rgb or rrggbb in hexadecimal, or a CSS name")
        }
        return color
    }
}
