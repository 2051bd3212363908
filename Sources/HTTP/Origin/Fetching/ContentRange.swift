import Bytes

/// Which part of a representation arrived (RFC 9110 §14.4).
package struct ContentRange: Equatable, Sendable {
    package let first: Int
    package let last: Int
    package let wholeCount: Int?

    /// Reads `bytes 0-99/1234` or `bytes 0-99/*`; nil for anything else and for contradictions.
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

    /// Whether it answers a request for `bytes`: all of them, or as many as the representation has.
    func isAnswer(to bytes: Range<Int>) -> Bool {
        guard first == bytes.lowerBound, last < bytes.upperBound else { return false }
        return last == bytes.upperBound - 1 || wholeCount.map { last == $0 - 1 } ?? false
    }

    /// Digits only; nil for `Int.max` and beyond.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit), let value = Int(text), value < .max else {
            return nil
        }
        return value
    }
}
