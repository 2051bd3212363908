package import CardGrammar
import Digest
package import Parameters

extension AvatarPerson {
    /// What colors and patterns follow from.
    var digest: Digest256 { SHA256.digest(of: identity) }
}

extension AvatarRequest {
    /// Throws all faults at once, in the order of the URL.
    package static func parse(_ items: [QueryItem]) throws(ParameterFaults) -> AvatarRequest {
        try parse(items) { SHA256.digest(of: $0).hex }
    }

    /// Puts what `spelled` gives in the place of each id of an asset. A stable order follows the new ids.
    package mutating func respellIDs<Failure: Error>(_ spelled: (String) throws(Failure) -> String) throws(Failure) {
        try respellIDs(digest: { SHA256.digest(of: $0).hex }, spelled)
    }
}
