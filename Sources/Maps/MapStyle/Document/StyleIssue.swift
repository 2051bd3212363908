package import JSON

/// Why a style was refused.
package struct StyleFailure: Error, Equatable, Sendable {
    /// What was found, in the order of the document, at least one; of many the first ``issueLimit``.
    package var issues: [StyleIssue]

    /// How many issues are told.
    package static let issueLimit = 50
}

/// One thing that is wrong with a style.
package struct StyleIssue: Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        /// The text is not JSON.
        case json(JSONError)
        /// Something of another kind than `expected`.
        case kind(expected: String)
        /// A member that must be there is not.
        case missing
        /// A member that the specification does not have.
        case unknown
        /// A word that is none of `allowed`.
        case word(String, allowed: [String])
        /// A version of the specification that is not 8.
        case version
        /// An id that an earlier layer has.
        case repeatedID(String)
        /// A source or a layer that the style does not have.
        case unknownReference(String)
        /// A number out of `least...greatest`.
        case range(least: Double, greatest: Double)
        /// A value or filter that cannot be compiled.
        case expression(ExpressionIssue.Fault)
        /// More than `limit`.
        case tooMany(limit: Int)
    }

    /// Where, such as `layers[3].paint.line-width[2]`.
    package var path: String
    package var fault: Fault

    /// What is wrong, for people; without the path.
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
