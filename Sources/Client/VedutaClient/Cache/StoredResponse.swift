import Bytes
import Foundation
import HTTPMessage

/// An answer as the cache holds it.
struct StoredResponse: Sendable {
    /// What is known of it beside its content; a 304 renews it.
    struct Head: Sendable, Codable {
        var url: URL
        var status: Int
        var fields: [String: String]
        /// What the request had in the fields that `Vary` names.
        var varied: [String: String] = [:]
        /// When it was received or last found to be right.
        var confirmed: Date

        init(_ response: HTTPResponse, to request: HTTPFields, confirmed: Date = Date()) {
            url = response.url
            status = response.status
            fields = response.fields.dictionary
            self.confirmed = confirmed
            for name in Self.varyingNames(response.fields) { varied[name] = request[name] ?? "" }
        }

        /// The entity tag for a weak comparison (RFC 9110 §8.8.3.2).
        var tag: Substring? { fields["etag"].map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...] } }

        /// Whether it answers a request with these fields (RFC 9111 §4.1).
        func answers(_ request: HTTPFields) -> Bool { varied.allSatisfy { request[$0.key] ?? "" == $0.value } }

        /// Those of `Vary` that hosts of this machine may send in two ways. `Accept` is in the key; the rest of what a client
        /// of ours sends is always the same.
        private static func varyingNames(_ fields: HTTPFields) -> [String] {
            fields.varyingNames.filter { !["*", "accept", "accept-encoding", "origin"].contains($0) }
        }
    }

    var head: Head
    var content: Data

    var fields: HTTPFields { HTTPFields(head.fields) }

    /// What it weighs in memory.
    var byteCount: Int { content.count + 512 + head.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}

/// How long an answer may be used without asking (RFC 9111 §4.2), by a cache of one user.
struct Freshness {
    /// Seconds since the origin sent or confirmed it.
    let age: Double
    /// Seconds that it is fresh.
    let lifetime: Double
    let mayBeStored: Bool
    /// `must-revalidate`, `no-cache`: not even without a network is it used when it is stale.
    let mustRevalidate: Bool

    var isFresh: Bool { age < lifetime }

    init(_ head: StoredResponse.Head, now: Date = Date()) {
        let fields = HTTPFields(head.fields)
        let directives = Self.directives(fields["cache-control"])
        age = max(0, now.timeIntervalSince(head.confirmed)) + (fields["age"].flatMap { Double($0) } ?? 0)
        mayBeStored = directives["no-store"] == nil && !fields.varyingNames.contains("*")
        mustRevalidate = directives["must-revalidate"] != nil || directives["no-cache"] != nil
        if directives["no-cache"] != nil {
            lifetime = 0
        } else if let text = directives["max-age"] {
            lifetime = Double(text).map { min(max(0, $0), 4_294_967_295) } ?? 0
        } else if let date = Self.date(fields["date"]), let expires = fields["expires"] {
            lifetime = Self.date(expires)?.timeIntervalSince(date) ?? 0
        } else if let date = Self.date(fields["date"]), let modified = Self.date(fields["last-modified"]) {
            // §4.2.2: a tenth of the time that it has been as it is, here at most a day.
            lifetime = min(86_400, max(0, date.timeIntervalSince(modified) / 10))
        } else {
            lifetime = 0
        }
    }

    /// Names in lower case, and arguments without quotes.
    static func directives(_ field: String?) -> [String: String] {
        var directives: [String: String] = [:]
        for part in (field ?? "").split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = pair.first else { continue }
            directives[name.lowercased()] = pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : ""
        }
        return directives
    }

    /// The instant that a date of HTTP names (RFC 9110 §5.6.7).
    static func date(_ text: String?) -> Date? {
        let now = Int64(held: Date().timeIntervalSince1970, in: HTTPDate.range)
        return text.flatMap { HTTPDate.parse($0, now: now) }.map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension HTTPFields {
    /// The members of `Vary`, in lower case.
    fileprivate var varyingNames: [String] {
        (self["vary"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
