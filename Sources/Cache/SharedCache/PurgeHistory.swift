import DiskStore

/// What a poll tells: how far the purges have come, and those that this server has not heard of.
struct PurgeHistory: Equatable, Sendable {
    let generation: UInt64
    /// ``SharedPurge/whole`` alone where some are no longer to be had: Redis lost them, or this server slept for too long.
    let purges: [SharedPurge]
    let isComplete: Bool

    /// - Parameters:
    ///   - reply: of ``SharedCommands/poll(after:)``.
    ///   - heard: the generation heard of so far; nil: nothing is kept from before, so nothing was missed.
    ///   - server: this one, which has carried out its own.
    init?(_ reply: RedisReply, after heard: UInt64?, server: String) {
        guard case .list(let list) = reply, let generation = list.first?.number, list.count % 3 == 1 else { return nil }
        self.generation = generation
        guard let heard, generation != heard else {
            (purges, isComplete) = ([], true)
            return
        }
        var expected = heard
        var purges: [SharedPurge] = []
        for start in stride(from: 1, to: list.count, by: 3) {
            guard let id = list[start].text, let by = list[start + 1].text, let text = list[start + 2].text else {
                return nil
            }
            expected &+= 1
            guard id == "\(expected)-0" else {
                (self.purges, isComplete) = ([.whole], false)
                return
            }
            // A new beginning of the tier purges nothing; what a later version says may be anything.
            if by != server, text != "-" { purges.append(SharedPurge(text: text) ?? .whole) }
        }
        isComplete = expected == generation
        self.purges = isComplete ? purges : [.whole]
    }
}
