import HTTPMessage

/// Where originals are now: prefixes of ids, and what stands in their place. The first that an id begins with counts, and a new id
/// is not rewritten again.
package struct AddressRewrites: Equatable, Sendable {
    package enum Fault: Error, Equatable, Sendable {
        /// `https://…/` or `http://…/`.
        case badOld(String)
        /// `https://…/`, `http://…/` or `s3://…/`.
        case badNew(String)
        /// The result of a rule would be rewritten again.
        case chained(String)
    }

    private struct Rule: Equatable, Sendable {
        let old: String
        let new: String
    }

    private let rules: [Rule]

    package static let none = AddressRewrites()
    private init() { rules = [] }

    /// Both ends of a rule end with a slash, so that it never cuts a name in two.
    package init(_ rules: [(old: String, new: String)]) throws(Fault) {
        var read: [Rule] = []
        for (old, new) in rules {
            guard let old = Self.web(old) else { throw .badOld(old) }
            guard let new = Self.web(new) ?? Self.bucket(new) else { throw .badNew(new) }
            read.append(Rule(old: old, new: new))
        }
        for rule in read {
            let isChained = read.contains { other in rule.new.hasPrefix(other.old) || other.old.hasPrefix(rule.new) }
            if isChained { throw .chained(rule.new) }
        }
        self.rules = read
    }

    package var isEmpty: Bool { rules.isEmpty }

    /// The address that replaces `id`, in its one spelling; nil if no rule matches.
    package func rewritten(_ id: String) -> String? {
        guard let rule = rules.first(where: { id.utf8.starts(with: $0.old.utf8) }) else { return nil }
        return rule.new + id.utf8.dropFirst(rule.old.utf8.count).text
    }

    /// The one spelling of a prefix.
    private static func web(_ text: String) -> String? {
        guard text.hasSuffix("/"), let url = try? OriginURL(text), url.description.hasSuffix("/") else { return nil }
        return url.description
    }

    private static func bucket(_ text: String) -> String? {
        // A key begins after the slash, so a letter stands for one.
        text.hasSuffix("/") && (try? S3Location(text + "a")) != nil ? text : nil
    }
}

extension Substring.UTF8View {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
