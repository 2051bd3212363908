import Bytes

package enum Suggestion {
    /// By Damerau–Levenshtein distance (optimal string alignment) regardless of ASCII case: at most one slip in names of up to four
    /// letters, two up to eight, three beyond. Skips candidates under three letters and names over 40 bytes.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        let given = name.utf8.map(ASCII.lowercased)
        guard given.count >= 2, given.count <= 40 else { return nil }
        var best: String?
        var bestDistance = Int.max
        for candidate in candidates where candidate.utf8.count >= 3 {
            let letters = candidate.utf8.map(ASCII.lowercased)
            let allowance = max(letters.count, given.count) <= 4 ? 1 : max(letters.count, given.count) <= 8 ? 2 : 3
            // Lengths rule most candidates out; a query may hold hundreds of unknown names.
            guard abs(letters.count - given.count) <= allowance else { continue }
            let distance = distance(given, letters)
            if distance <= allowance, distance < bestDistance {
                best = candidate
                bestDistance = distance
            }
        }
        return best
    }

    /// The end of a sentence about what may stand there; empty where no candidate is near. `quote` stands around the candidate.
    package static func hint(for name: String, among candidates: [String], quote: String = "`") -> String {
        nearest(to: name, among: candidates).map { "; did you mean \(quote)\($0)\(quote)?" } ?? ""
    }

    /// O(left × right).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, beforePrevious[column - 1] + 1)
                }
                current.append(least)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
