package import HTTPMessage

/// Detects requests that have come through here before (RFC 9110 §7.6.3), so that nothing is fetched from itself.
package enum Via {
    /// The name of this process in `Via`, unique to it.
    package static let pseudonym = "veduta-" + String(UInt64.random(in: .min ... .max), radix: 36)
    /// How many servers of this program, and of any, a request may have come through.
    static let ownLimit = 3
    static let hopLimit = 16

    package static func hops(_ fields: Fields) -> [String] {
        fields.all(.via).flatMap { $0.split(separator: ",") }
            .map { String($0.drop { $0 == " " || $0 == "\t" }) }.filter { !$0.isEmpty }
    }

    /// Whether a request that came through `hops` must not lead to another one.
    package static func isLoop(_ hops: [String]) -> Bool {
        let names = hops.map { $0.split(separator: " ").dropFirst().first ?? "" }
        return names.contains { $0 == pseudonym } || names.count { $0.hasPrefix("veduta-") } >= ownLimit
            || hops.count >= hopLimit
    }

    /// `Via` of a fetch for a request that came through `hops`.
    package static func chain(after hops: [String]) -> String { (hops + ["1.1 \(pseudonym)"]).joined(separator: ", ") }
}
