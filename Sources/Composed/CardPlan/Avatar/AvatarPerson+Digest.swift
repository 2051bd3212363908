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
}
