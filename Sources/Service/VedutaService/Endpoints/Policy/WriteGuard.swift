import HTTPMessage
import ServiceConfiguration

/// Admits requests with a configured token (RFC 6750 §2.1), for every resource that writes.
struct WriteGuard: Sendable {
    /// None: nobody may write.
    let tokens: AccessTokens

    enum Refusal: Error, Equatable {
        case writesAreOff
        /// None, or credentials of another kind.
        case noToken
        /// Wrong, malformed, or one of several.
        case wrongToken
    }

    /// Whether the request has a token, and it is right.
    func admits(_ head: RequestHead) -> Bool { head.fields.contains(.authorization) && (try? check(head)) != nil }

    func check(_ head: RequestHead) throws(Refusal) {
        guard !tokens.isEmpty else { throw .writesAreOff }
        guard let line = head.fields.first(.authorization) else { throw .noToken }
        // Two lines could mean one thing to a proxy in front and another here.
        guard head.fields.count(of: .authorization) == 1 else { throw .wrongToken }
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else { throw .noToken }
        guard let given = parts.dropFirst().first.map({ String($0.drop { $0 == " " }) }), tokens.matches(given) else {
            throw .wrongToken
        }
    }
}
