package struct ParameterFault: Error, Equatable, Sendable {
    /// `allowed` texts continue the sentence "… must be".
    package enum Reason: Error, Equatable, Sendable {
        /// No parameter has this name; the nearest one, if any is near.
        case unknown(suggestion: String?)
        /// Planned, but not built in this version.
        case notSupportedYet(allowed: String?)
        /// Given more than once where once is allowed.
        case repeated
        case malformed(allowed: String)
        case outOfRange(allowed: String)
        case missing
        case conflict(with: [String])
        /// Needs these parameters.
        case incomplete(without: [String])
        /// A broken `%` escape, text that is not UTF-8, or a control character.
        case badEncoding
        case tooManyItems(limit: Int)
    }

    /// As given, or the full name if missing; safe to show.
    package let parameter: String
    /// As given, cut to 100 characters and cleaned.
    package let value: String
    package let reason: Reason

    package init(parameter: String, value: String, reason: Reason) {
        self.parameter = Self.shown(parameter)
        self.value = Self.shown(value)
        self.reason = reason
    }
}

/// In the order of the URL, missing parameters last. Never empty when thrown.
package struct ParameterFaults: Error, Equatable, Sendable {
    /// An answer must not be many times as long as its request.
    package static let countLimit = 64

    package let faults: [ParameterFault]

    package init(_ faults: [ParameterFault]) { self.faults = Array(faults.prefix(Self.countLimit)) }
}
