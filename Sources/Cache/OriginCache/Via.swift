package import HTTPMessage

/// Detects requests that have come through here before (RFC 9110 §7.6.3), so that nothing is fetched from itself.
///
/// A fetch is a request of this server, which its own name in `Via` begins. Of the chain of the client only the names of other
/// servers of this program go with it, as only they are needed: every loop comes back here. Whatever else a client writes into
/// `Via` stays here, because answers to a fetch are for everybody, and gateways refuse what is long or names themselves.
package enum Via {
    private static let prefix = "veduta-"
    /// The name of this process in `Via`, unique to it.
    package static let pseudonym = prefix + String(UInt64.random(in: .min ... .max), radix: 36)
    /// How many servers of this program, and of any, a request may have come through.
    static let ownLimit = 3
    static let hopLimit = 16
    /// Digits of a pseudonym: `UInt64.max` has 13 in base 36.
    private static let digitLimit = 13

    package static func hops(_ fields: Fields) -> [String] {
        fields.all(.via).flatMap { $0.split(separator: ",") }
            .map { String($0.drop { $0 == " " || $0 == "\t" }) }.filter { !$0.isEmpty }
    }

    /// Whether a request that came through `hops` must not lead to another one.
    package static func isLoop(_ hops: [String]) -> Bool {
        let names = hops.map(name)
        return names.contains { $0 == pseudonym } || names.count { $0.hasPrefix(prefix) } >= ownLimit
            || hops.count >= hopLimit
    }

    /// Of `hops` those that go with a fetch: names that a server of this program can have. Fewer than ``ownLimit`` where there is
    /// no loop, and so fewer than a hundred bytes.
    static func ownNames(_ hops: [String]) -> [String] { hops.map { String(name($0)) }.filter(isPseudonym) }

    /// `Via` of a fetch for a request that came through servers with these names.
    package static func chain(after names: [String]) -> String {
        (names + [pseudonym]).map { "1.1 \($0)" }.joined(separator: ", ")
    }

    /// Behind the protocol; a comment may follow.
    private static func name(_ hop: String) -> Substring { hop.split(separator: " ").dropFirst().first ?? "" }

    private static func isPseudonym(_ name: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return (1...digitLimit).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}
