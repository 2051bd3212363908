package import Parameters

extension Quality {
    /// The SSIMULACRA2 score of a plain `quality=auto`: hard to tell from the original at a glance.
    package static let defaultTarget: PlainDecimal = 80

    private static let allowed =
        "a whole number from 1 to 100, or auto with an optional score from 30 to 100, such as auto:70"

    /// Reads `80`, `auto` or `auto:70`.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Quality {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first == "auto" else { return .fixed(try PlainNumber.int(text, in: 1...100, allowed: allowed)) }
        guard parts.count == 2 else { return .auto(target: defaultTarget) }
        return .auto(target: try PlainNumber.decimal(parts[1], in: 30...100, allowed: allowed))
    }

    var canonical: String {
        switch self {
        case .fixed(let number): number.description
        case .auto(Self.defaultTarget): "auto"
        case .auto(let target): "auto:\(target)"
        }
    }

    package var isAutomatic: Bool { if case .auto = self { true } else { false } }
}

/// The text of `bytes`: `80000`, `80k` (thousand) or `1.5m` (million).
enum ByteLimitText {
    private static let range = 100...100_000_000
    private static let allowed = "a number of bytes from 100 to 100m, such as 80000, 80k (thousand) or 1.5m (million)"

    static func parse(_ text: String) throws(ParameterFault.Reason) -> Int {
        let unit =
            switch text.last {
            case "k", "K": 1000
            case "m", "M": 1_000_000
            default: 1
            }
        let number = try PlainNumber.decimal(
            unit == 1 ? text[...] : text.dropLast(), in: 0...100_000_000, allowed: allowed)
        let billionths = Int128(number.billionths) * Int128(unit)
        guard billionths % 1_000_000_000 == 0, let count = Int(exactly: billionths / 1_000_000_000) else {
            throw .malformed(allowed: allowed)
        }
        guard range.contains(count) else { throw .outOfRange(allowed: allowed) }
        return count
    }

    static func canonical(_ count: Int) -> String { count % 1000 == 0 ? "\(count / 1000)k" : count.description }
}

enum FormatText: Equatable {
    /// Nil is `auto`.
    case picture(OutputFormat?)
    /// `json`.
    case description

    static func parse(_ text: String) throws(ParameterFault.Reason) -> FormatText {
        if text == "auto" { return .picture(nil) }
        if text == "json" { return .description }
        guard let format = OutputFormat(rawValue: text) else {
            throw .malformed(allowed: ParameterReader.list(["auto"] + OutputFormat.allCases.map(\.rawValue) + ["json"]))
        }
        return .picture(format)
    }
}

package enum DownloadText {
    static let byteLimit = 255
    private static let allowed = "a file name of at most \(byteLimit) bytes without slashes, backslashes or quotes"

    package static func parse(_ text: String) throws(ParameterFault.Reason) -> String {
        guard text.utf8.count <= byteLimit else { throw .outOfRange(allowed: allowed) }
        guard text != ".", text != "..", !text.utf8.contains(where: { "/\\\"".utf8.contains($0) }) else {
            throw .malformed(allowed: allowed)
        }
        return text
    }
}
