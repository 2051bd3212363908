package import CardGrammar

/// What a poll comes to.
package struct PollFigures: Equatable, Sendable {
    /// Of all options.
    package let voteCount: Int
    /// Whole percents of each option, in the given order; nil before anyone may have voted, or where none are wanted.
    package let percents: [Int]?
    /// Of the votes or voters.
    let shares: [Double]
    let isWinner: [Bool]
    /// Whether there are votes to show.
    package let hasVotes: Bool
    /// Places of the options from the first to the last that is shown.
    let order: [Int]

    package init(_ request: PollRequest) {
        let votes = request.options.map { $0.votes ?? 0 }
        let total = votes.reduce(0, +)
        let base = request.voters ?? total
        hasVotes = request.options.contains { $0.votes != nil }
        voteCount = total
        shares = votes.map { base > 0 ? Double($0) / Double(base) : 0 }
        let most = votes.max() ?? 0
        isWinner = votes.map { request.winner == .bold && most > 0 && $0 == most }
        order =
            request.order == .given
            ? Array(votes.indices)
            : votes.indices.sorted { (votes[$0], $1) > (votes[$1], $0) }
        guard hasVotes, request.percent != .none else {
            percents = nil
            return
        }
        // Percents of people do not sum to anything.
        percents =
            request.percent == .round || request.voters != nil
            ? votes.map { base > 0 ? Self.rounded($0, of: base) : 0 } : Self.largestRemainder(votes, total)
    }

    private static func rounded(_ votes: Int, of base: Int) -> Int { (votes * 200 + base) / (2 * base) }

    /// Percents that sum to 100, or all 0: what rounding down leaves goes to the largest remainders, of equal ones to the
    /// first.
    static func largestRemainder(_ votes: [Int], _ total: Int) -> [Int] {
        guard total > 0 else { return votes.map { _ in 0 } }
        var percents = votes.map { $0 * 100 / total }
        let order = votes.indices.sorted { (votes[$0] * 100 % total, $1) > (votes[$1] * 100 % total, $0) }
        for index in order.prefix(100 - percents.reduce(0, +)) { percents[index] += 1 }
        return percents
    }
}
