import Bytes

/// Which part of a representation came (RFC 9110 §14.4).
package struct ContentRange: Equatable, Sendable {
    package let first: Int
    package let last: Int
    /// The bytes of the whole, if it is known.
    package let wholeCount: Int?

    /// Reads `bytes 0-99/1234` or `bytes 0-99/*`; nil for anything else, and for what contradicts itself.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        if parts[1] == "*" {
            wholeCount = nil
        } else {
            guard let whole = Self.number(parts[1]), last < whole else { return nil }
            wholeCount = whole
        }
        self.first = first
        self.last = last
    }

    package var count: Int { last - first + 1 }

    /// Whether it is what was asked for by `bytes`: all of that, or as much as the whole has.
    func isAnswer(to bytes: Range<Int>) -> Bool {
        guard first == bytes.lowerBound, last < bytes.upperBound else { return false }
        return last == bytes.upperBound - 1 || wholeCount.map { last == $0 - 1 } ?? false
    }

    /// Digits alone, of which some make no number that can be.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit), let value = Int(text), value < .max else {
            return nil
        }
        return value
    }
}
