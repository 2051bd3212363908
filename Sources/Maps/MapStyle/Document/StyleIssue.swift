package import JSON

package struct StyleFailure: Error, Equatable, Sendable {
    /// At least one, in the order of the document; at most ``issueLimit``.
    package var issues: [StyleIssue]

    package static let issueLimit = 50
}

package struct StyleIssue: Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        case json(JSONError)
        case kind(expected: String)
        case missing
        case unknown
        case word(String, allowed: [String])
        case version
        case repeatedID(String)
        case unknownReference(String)
        case range(least: Double, greatest: Double)
        case expression(ExpressionIssue.Fault)
        case tooMany(limit: Int)
    }

    package var path: String
    package var fault: Fault

    package var message: String {
        switch fault {
        case .json(let error): error.message
        case .kind(let expected): "\(expected) expected"
        case .missing: "missing"
        case .unknown: "the specification does not have this"
        case .word(let word, let allowed): "'\(word)' is none of \(allowed.joined(separator: ", "))"
        case .version: "version 8 expected"
        case .repeatedID(let id): "an earlier layer is called '\(id)' too"
        case .unknownReference(let id): "there is no '\(id)'"
        case .range(let least, let greatest): "\(least.scriptText) to \(greatest.scriptText) expected"
        case .expression(let fault): ExpressionIssue(fault: fault, path: "").message
        case .tooMany(let limit): "over \(limit)"
        }
    }
}
