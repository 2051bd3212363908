extension ParameterFault {
    package var message: String {
        switch reason {
        case .unknown(let suggestion?): "`\(parameter)` is not a parameter here; did you mean `\(suggestion)`?"
        case .unknown(nil): "`\(parameter)` is not a parameter here."
        case .notSupportedYet(let allowed?): "`\(parameter)` does not support `\(value)` yet; it must be \(allowed)."
        case .notSupportedYet(nil): "`\(parameter)` is not supported yet; leave it out."
        case .repeated: "`\(parameter)` is given more than once."
        case .malformed(let allowed), .outOfRange(let allowed):
            "`\(parameter)` must be \(allowed)\(allowed.hasSuffix("?") ? "" : ".")"
        case .missing: "`\(parameter)` is required."
        case .conflict(let others): "`\(parameter)` cannot be combined with \(Self.quoted(others))."
        case .incomplete(let others): "`\(parameter)` needs \(Self.quoted(others)) as well."
        case .badEncoding: "`\(parameter)` is not properly percent-encoded UTF-8 text without control characters."
        case .tooManyItems(let limit): "The request has more than \(limit) parameters."
        }
    }

    private static func quoted(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " and ") }

    /// Cut to 100 characters, those that could disturb a log line or a page replaced.
    static func shown(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(100).map { isSafe($0) ? $0 : "\u{fffd}" }
        return String(String.UnicodeScalarView(safe))
    }

    /// False for control and invisible characters.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
