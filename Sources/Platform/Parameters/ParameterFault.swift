/// What is wrong with one parameter of a request.
package struct ParameterFault: Error, Equatable, Sendable {
    /// Why a parameter was refused. `allowed` texts continue the sentence "… must be".
    package enum Reason: Error, Equatable, Sendable {
        /// No parameter has this name; the nearest one that exists, if any is near.
        case unknown(suggestion: String?)
        /// The design has this name or value but this version does not build it; what can be used instead, if anything.
        case notSupportedYet(allowed: String?)
        /// Given more than once where it may stand once.
        case repeated
        /// The text does not have the form of this parameter.
        case malformed(allowed: String)
        /// The form is right, the value lies outside what is allowed.
        case outOfRange(allowed: String)
        case missing
        case conflict(with: [String])
        /// Means something only together with these parameters, which are absent.
        case incomplete(without: [String])
        /// A broken `%` escape, text that is not UTF-8, or a control character.
        case badEncoding
        /// The query or the content has more than `limit` items.
        case tooManyItems(limit: Int)
    }

    /// The name as the request spelled it, or the full name where it is missing; safe to show.
    package let parameter: String

    /// The value as given, cut to 100 characters, without control characters; empty where there is none.
    package let value: String

    package let reason: Reason

    /// Makes a fault; both texts are cut and cleaned here, so any text may be passed.
    package init(parameter: String, value: String, reason: Reason) {
        self.parameter = Self.shown(parameter)
        self.value = Self.shown(value)
        self.reason = reason
    }
}

/// The faults of one request, in the order of its URL; what is missing comes last. Never empty when thrown.
package struct ParameterFaults: Error, Equatable, Sendable {
    /// The most faults that are told: an answer must not be many times as long as its request.
    package static let countLimit = 64

    package let faults: [ParameterFault]

    package init(_ faults: [ParameterFault]) {
        self.faults = Array(faults.prefix(Self.countLimit))
    }
}
