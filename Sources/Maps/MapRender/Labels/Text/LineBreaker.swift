/// Breaks text into lines of about equal length, as MapLibre: by the sum of squared differences and penalties.
struct LineBreaker {
    private struct Break {
        var index: Int
        var x: Double
        var prior: Int
        var badness: Double
    }

    private static let lookback = 256

    private let text: TaggedText
    private let advances: [Double]
    private let targetWidth: Double
    private var candidates: [Break] = []

    /// The ends of lines; the last is the end of the text. `advances` are the widths of characters with the
    /// spacing, 0 without a glyph; nothing is broken before characters that have `joins`.
    static func breaks(_ text: TaggedText, advances: [Double], maxWidth: Double, joins: [Bool] = []) -> [Int] {
        let total = advances.reduce(0, +)
        let lineCount = total > 0 ? max(1, (total / maxWidth).rounded(.up)) : 1
        // What fits a line is only broken by line feeds: every break would make the sum worse.
        if lineCount == 1, !text.characters.contains(0x0A), !advances.contains(where: { $0 < 0 }) {
            return [text.characters.count]
        }
        var breaker = LineBreaker(text, advances: advances, targetWidth: total / lineCount)
        return breaker.run(joins)
    }

    private init(_ text: TaggedText, advances: [Double], targetWidth: Double) {
        (self.text, self.advances, self.targetWidth) = (text, advances, targetWidth)
    }

    private mutating func run(_ joins: [Bool]) -> [Int] {
        let characters = text.characters
        let hasZeroWidthSpaces = characters.contains(0x200B)
        var x = 0.0
        for (index, character) in characters.enumerated() {
            if !Script.isWhitespace(character) { x += advances[index] }
            guard index + 1 < characters.count, joins.isEmpty || !joins[index + 1] else { continue }
            let next = characters[index + 1]
            let isIdeograph = Script.breaksLikeIdeograph(character)
            let isBeforeParenthesis = next == 0x28 && index + 2 < characters.count
            guard Self.isBreakable(character) || isIdeograph || text.isImage(at: index) || isBeforeParenthesis
            else { continue }
            let penalty = Self.penalty(character, next, isIdeograph: isIdeograph && hasZeroWidthSpaces)
            candidates.append(best(index + 1, x: x, penalty: penalty, isLast: false))
        }
        var last = best(characters.count, x: x, penalty: 0, isLast: true)
        var ends = [last.index]
        while last.prior >= 0 {
            last = candidates[last.prior]
            ends.append(last.index)
        }
        return ends.reversed()
    }

    private func best(_ index: Int, x: Double, penalty: Double, isLast: Bool) -> Break {
        var prior = -1
        var least = badness(x, penalty, isLast: isLast)
        for candidate in max(0, candidates.count - Self.lookback)..<candidates.count {
            let sum = badness(x - candidates[candidate].x, penalty, isLast: isLast) + candidates[candidate].badness
            if sum <= least {
                prior = candidate
                least = sum
            }
        }
        return Break(index: index, x: x, prior: prior, badness: least)
    }

    private func badness(_ width: Double, _ penalty: Double, isLast: Bool) -> Double {
        let raggedness = (width - targetWidth) * (width - targetWidth)
        if isLast { return width < targetWidth ? raggedness / 2 : raggedness * 2 }
        return raggedness + abs(penalty) * penalty
    }

    private static func penalty(_ character: UInt32, _ next: UInt32, isIdeograph: Bool) -> Double {
        var penalty = 0.0
        if character == 0x0A { penalty -= 10000 }
        if isIdeograph { penalty += 150 }
        if character == 0x28 || character == 0xFF08 { penalty += 50 }
        if next == 0x29 || next == 0xFF09 { penalty += 50 }
        return penalty
    }

    private static func isBreakable(_ character: UInt32) -> Bool {
        switch character {
        // Line feed, space, &, ), +, -, /, soft hyphen, middle dot, zero-width space, hyphen, en dash, interpunct.
        case 0x0A, 0x20, 0x26, 0x29, 0x2B, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027: true
        default: false
        }
    }
}
