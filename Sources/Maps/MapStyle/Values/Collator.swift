import Bytes

/// Compares text by three levels of the Unicode Collation Algorithm: base letters, marks, case. The order of letters
/// is a small one of our own, with exceptions for some languages: the full tables are in ICU, which is 44 MB.
package struct Collator: Hashable, Sendable {
    package var isCaseSensitive: Bool
    package var isDiacriticSensitive: Bool
    /// A BCP 47 tag; nil for the default.
    package var locale: String?

    /// The tag if it is well-formed, else English.
    package var resolvedLocale: String {
        guard let locale, let language = locale.split(separator: "-").first, (2...3).contains(language.count),
            locale.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || ASCII.isTokenByte($0) })
        else { return "en" }
        return language.lowercased() + locale.dropFirst(language.count)
    }

    /// Negative, zero or positive as `left` sorts before, with or after `right`.
    package func order(_ left: String, _ right: String) -> Int {
        let (one, other) = (keys(of: left), keys(of: right))
        if let order = Self.order(one.letters, other.letters) { return order }
        if isDiacriticSensitive, let order = Self.order(one.marks, other.marks) { return order }
        if isCaseSensitive, let order = Self.order(one.cases, other.cases) { return order }
        return 0
    }

    private static func order(_ left: [UInt32], _ right: [UInt32]) -> Int? {
        if left == right { return nil }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

extension Collator {
    private struct Keys {
        var letters: [UInt32] = []
        var marks: [UInt32] = []
        var cases: [UInt32] = []
    }

    private func keys(of text: String) -> Keys {
        var keys = Keys()
        let tailoring = Self.tailorings[resolvedLocale.split(separator: "-").first.map(String.init) ?? ""] ?? [:]
        for scalar in text.unicodeScalars {
            let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
            let isUpper: UInt32 = lower == scalar ? 0 : 1
            if let letters = tailoring[lower] {
                keys.letters += letters
                keys.marks += letters.map { _ in lower.value }
                keys.cases += letters.map { _ in isUpper }
                continue
            }
            let parts = LetterMarks.decompositions[lower] ?? [lower]
            for part in parts {
                if part.properties.canonicalCombiningClass != .notReordered {
                    if let last = keys.marks.indices.last { keys.marks[last] = keys.marks[last] &* 4096 &+ part.value }
                    continue
                }
                keys.letters.append(Self.weight(part))
                keys.marks.append(0)
                keys.cases.append(isUpper)
            }
        }
        return keys
    }

    /// Spaces and signs sort before digits, digits before letters.
    private static func weight(_ scalar: Unicode.Scalar) -> UInt32 {
        if scalar.properties.isAlphabetic { return scalar.value * 256 + 2 << 30 }
        if scalar.properties.numericType != nil { return scalar.value + 1 << 24 }
        return scalar.value
    }

    private static func after(_ letter: Unicode.Scalar, _ step: UInt32) -> [UInt32] { [weight(letter) + step] }

    private static let tailorings: [String: [Unicode.Scalar: [UInt32]]] = {
        let swedish: [Unicode.Scalar: [UInt32]] = ["å": after("z", 1), "ä": after("z", 2), "ö": after("z", 3)]
        let danish: [Unicode.Scalar: [UInt32]] = [
            "æ": after("z", 1), "ä": after("z", 1), "ø": after("z", 2), "ö": after("z", 2), "å": after("z", 3),
        ]
        // German search order equates an umlaut with its spelling with e.
        let german: [Unicode.Scalar: [UInt32]] = [
            "ä": [weight("a"), weight("e")], "ö": [weight("o"), weight("e")], "ü": [weight("u"), weight("e")],
            "ß": [weight("s"), weight("s")],
        ]
        let turkish: [Unicode.Scalar: [UInt32]] = [
            "ç": after("c", 1), "ğ": after("g", 1), "ı": after("h", 1), "ö": after("o", 1), "ş": after("s", 1),
            "ü": after("u", 1),
        ]
        let polish: [Unicode.Scalar: [UInt32]] = [
            "ą": after("a", 1), "ć": after("c", 1), "ę": after("e", 1), "ł": after("l", 1), "ń": after("n", 1),
            "ó": after("o", 1), "ś": after("s", 1), "ź": after("z", 1), "ż": after("z", 2),
        ]
        let czech: [Unicode.Scalar: [UInt32]] = [
            "č": after("c", 1), "ř": after("r", 1), "š": after("s", 1), "ž": after("z", 1),
        ]
        return [
            "sv": swedish, "fi": swedish, "da": danish, "nb": danish, "no": danish, "nn": danish, "de": german,
            "tr": turkish, "pl": polish, "cs": czech, "sk": czech, "es": ["ñ": after("n", 1)],
        ]
    }()
}
