import Bytes
import Parameters

/// The constraints of a signed set: `path=/asset;id=lagoon.jpg;width<=1600;format=avif|webp|jpeg`.
///
/// One signature over such a text covers every picture that keeps to it: a `srcset`, the tiles of a map. Rules:
/// - `path=/asset` names the path; `path=/tiles/light/*` all paths below one; `path=/a|/b` either. It comes first.
/// - `name=a|b` wants the parameter with one of these values, `name<=n` with a plain number up to n. Both are compared with
///   the canonical query. A `?` at the end also allows its absence; a `name?` alone allows any value.
/// - `%7C`, `%3B`, `%3F` and `%25` stand for `|`, `;`, `?` and `%` in values.
/// - Parameters that are not named may not be there.
package struct Constraints: Sendable, Equatable {
    enum Rule: Sendable, Equatable {
        case oneOf([String])
        case atMost(PlainDecimal)
        case any
    }

    struct Row: Sendable, Equatable {
        let name: String
        let rule: Rule
        let isOptional: Bool
    }

    /// Why a text is not a set of constraints.
    package enum Malformed: Error, Equatable {
        case tooLong
        /// It has control characters.
        case control
        case noPath
        case rule(String)
        case repeated(String)
    }

    /// What the parameter `allow` takes.
    package static let allowed =
        "path=/asset;id=lagoon.jpg;width<=1600;format=avif|webp|jpeg: rules divided by semicolons, the path first"
    static let ruleLimit = 32

    private struct Path: Sendable, Equatable {
        let text: Substring
        /// Whether it stands for all paths that begin so.
        let isPrefix: Bool

        /// By bytes: `String` would equate composed and decomposed letters, which name different files.
        func matches(_ path: String) -> Bool {
            isPrefix ? path.utf8.starts(with: text.utf8) : path.utf8.elementsEqual(text.utf8)
        }
    }

    private let paths: [Path]
    private let rows: [Row]

    package init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= Credentials.textLimit else { throw .tooLong }
        // No parameter has any, so servers would refuse what is signed.
        guard text.isPlain else { throw .control }
        // By bytes: as a character, U+037E is equal to a semicolon.
        var parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        guard parts.count <= Self.ruleLimit, let first = parts.first, first.hasPrefix("path=/") else { throw .noPath }
        parts.removeFirst()
        paths = try first.dropFirst("path=".count).split(separator: "|", omittingEmptySubsequences: false).map(
            Self.path)
        var rows: [Row] = []
        for part in parts {
            let row = try Self.row(part)
            guard !rows.contains(where: { $0.name == row.name }) else { throw .repeated(row.name) }
            rows.append(row)
        }
        self.rows = rows
    }

    private static func path(_ text: Substring) throws(Malformed) -> Path {
        let isPrefix = text.hasSuffix("/*")
        let path = Path(text: isPrefix ? text.dropLast() : text, isPrefix: isPrefix)
        guard text.hasPrefix("/"), !path.text.contains("*") else { throw .noPath }
        return path
    }

    private static func row(_ part: Substring) throws(Malformed) -> Row {
        let isOptional = part.hasSuffix("?")
        let body = isOptional ? part.dropLast() : part
        guard let end = body.firstIndex(where: { $0 == "=" || $0 == "<" }) else {
            guard isOptional, isName(body) else { throw .rule(String(part)) }
            return Row(name: String(body), rule: .any, isOptional: true)
        }
        let (name, rest) = (body[..<end], body[end...])
        guard isName(name) else { throw .rule(String(part)) }
        if rest.hasPrefix("<=") {
            guard let most = try? PlainNumber.decimal(rest.dropFirst(2)) else { throw .rule(String(part)) }
            return Row(name: String(name), rule: .atMost(most), isOptional: isOptional)
        }
        guard rest.hasPrefix("="), rest.count > 1 else { throw .rule(String(part)) }
        let values = rest.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
        let decoded = values.map { value in
            PercentEncoding.decoded(value.utf8).flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard !decoded.contains(nil) else { throw .rule(String(part)) }
        return Row(name: String(name), rule: .oneOf(decoded.compactMap(\.self)), isOptional: isOptional)
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }

    /// Whether `resource` keeps to the constraints. O(rules × parameters), at most 32 × 256.
    package func allows(_ resource: SignedResource) -> Bool {
        guard
            paths.contains(where: { $0.matches(resource.path) }),
            let items = try? QueryItems.parse(resource.query)
        else { return false }
        for row in rows where !row.isOptional {
            guard items.contains(where: { $0.name == row.name }) else { return false }
        }
        return items.allSatisfy { item in
            guard let row = rows.first(where: { $0.name == item.name }) else { return false }
            return switch row.rule {
            case .any: true
            case .oneOf(let values): values.contains { $0.utf8.elementsEqual(item.value.utf8) }
            case .atMost(let most): (try? PlainNumber.decimal(item.value)).map { $0 <= most } ?? false
            }
        }
    }
}
