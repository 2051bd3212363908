import HTTPMessage
import ServiceConfiguration

/// Lets those change something who bring the configured token (RFC 6750 §2.1): for every resource that writes.
struct WriteGuard: Sendable {
    /// The token; nil: nobody may.
    let token: AccessToken?

    /// Why a request may not write.
    enum Refusal: Error, Equatable {
        /// No token is configured.
        case writesAreOff
        /// The request brings none, or credentials of another kind.
        case noToken
        /// The token is not the right one, is malformed, or is one of several.
        case wrongToken
    }

    /// Passes a request that may write.
    func check(_ head: RequestHead) throws(Refusal) {
        guard let token else { throw .writesAreOff }
        guard let line = head.fields.first(.authorization) else { throw .noToken }
        // Two lines could mean one thing to a proxy in front and another here.
        guard head.fields.count(of: .authorization) == 1 else { throw .wrongToken }
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else { throw .noToken }
        guard let given = parts.dropFirst().first.map({ String($0.drop { $0 == " " }) }), token.matches(given) else {
            throw .wrongToken
        }
    }
}
