extension ParameterFault {
    /// One English sentence that says what is wrong and what would be right.
    package var message: String {
        switch reason {
        case .unknown(let suggestion?): "`\(parameter)` is not a parameter here; did you mean `\(suggestion)`?"
        case .unknown(nil): "`\(parameter)` is not a parameter here."
        case .notSupportedYet(let allowed?):
            "`\(parameter)` does not support `\(value)` yet; it must be \(allowed)."
        case .notSupportedYet(nil): "`\(parameter)` is not supported yet; leave it out."
        case .repeated: "`\(parameter)` is given more than once."
        case .malformed(let allowed), .outOfRange(let allowed): "`\(parameter)` must be \(allowed)."
        case .missing: "`\(parameter)` is required."
        case .conflict(let others): "`\(parameter)` cannot be combined with \(Self.quoted(others))."
        case .incomplete(let others): "`\(parameter)` needs \(Self.quoted(others)) as well."
        case .badEncoding:
            "`\(parameter)` is not properly percent-encoded UTF-8 text without control characters."
        case .tooManyItems(let limit): "The request has more than \(limit) parameters."
        }
    }

    private static func quoted(_ names: [String]) -> String {
        names.map { "`\($0)`" }.joined(separator: " and ")
    }

    /// `text` without characters that could disturb a log line or a page, cut to 100 characters.
    static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(100) {
            shown.append(isSafe(scalar) ? scalar : "\u{fffd}")
        }
        return String(shown)
    }

    /// Refuses control characters and the invisible ones that reorder or break lines.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
