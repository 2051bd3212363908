package import HTTPMessage
import Reactor

/// Tells requests that have come through here before (RFC 9110 §7.6.3), so that a picture is never fetched from itself.
package enum Via {
    /// The name of this process in `Via`: that of the program, and of no other process.
    package static let pseudonym = "veduta-" + String(UInt64.random(in: .min ... .max), radix: 36)
    /// How many servers of this program a request may have come through, and how many servers of any.
    static let ownLimit = 3
    static let hopLimit = 16

    /// The entries of `Via` in a request.
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

    /// What is sent with a fetch for a request that came through `hops`.
    package static func chain(after hops: [String]) -> String { (hops + ["1.1 \(pseudonym)"]).joined(separator: ", ") }
}
