// What leaves next.

extension EvictionQueue {
    /// The most entries that are looked at for one that leaves.
    @inlinable static var visitLimit: Int { 128 }

    /// The most places, free or taken, if one of them is taken. Enough for more than `passCount` entries of pages with one each.
    @inlinable static var placeLimit: Int { 32 * pageLength }

    /// The lowest rank there is. A threshold far below it, after a time of few entries, would stay there: rounding would undo its rise.
    @inlinable static var lowestRank: Float { 0x1p-12 }

    /// One of this many entries ranks below the threshold.
    @inlinable static var passCount: Float { 24 }

    /// Each eviction of the key that is remembered counts as a use. That lets time pass, too: else entries used often, but
    /// long ago, would keep out new ones which are asked for again, but never before they leave.
    @inlinable mutating func takeBefore(_ key: EvictionKey) -> (payload: Payload?, halfUses: UInt64) {
        if let slot = slot(of: key) {
            let halfUses = self[slot].halfUses
            return (take(slot)?.payload, halfUses)
        }
        let ghostCount = ghosts.count(of: key)
        if ghostCount > 0 { time &+= 1 }
        return (nil, min(2 * UInt64(ghostCount), EvictionSlot<Payload>.halfUsesLimit))
    }

    /// Evicts the first entry that ranks below the threshold, or the lowest of those on the way. O(1).
    @inlinable package mutating func evictOne() -> Evicted? {
        guard count > 0 else { return nil }
        let (time, restLimit) = (time, UInt32(clamping: 4 * count))
        var (hand, threshold) = (hand, threshold)
        var least = 0
        var leastRank = Float.infinity
        var (visitCount, placeCount) = (0, 0)
        while visitCount < Self.visitLimit && placeCount < Self.placeLimit || leastRank == .infinity {
            placeCount += 1
            hand = hand + 1 < slotCount ? hand + 1 : 0
            let (page, place) = (hand / Self.pageLength, hand % Self.pageLength)
            if takenCounts[page] == 0 { hand |= Self.pageLength - 1 }
            guard pages[page][place].payload != nil else { continue }
            visitCount += 1
            if time &- pages[page][place].stamp > restLimit { pages[page][place].halve(at: time) }
            let rank = pages[page][place].rank
            if rank < leastRank { (least, leastRank) = (hand, rank) }
            if rank <= threshold { break }
            threshold *= 1 + 0x1p-8
        }
        self.hand = hand
        self.threshold = max(threshold * (1 - 0x1p-8 * Self.passCount), Self.lowestRank)
        ghosts.insert(self[Int32(least)].key, entryCount: count)
        return take(Int32(least))
    }

    @inlinable mutating func take(_ slot: Int32) -> Evicted? {
        removeFromTable(slot)
        takenCounts[Int(slot) / Self.pageLength] -= 1
        let next = freeSlot
        freeSlot = slot
        let taken: Evicted? = withSlot(slot) { entry in
            entry.stamp = UInt32(bitPattern: next)
            guard let payload = entry.payload.take() else { return nil }
            return Evicted(key: entry.key, payload: payload, weight: entry.weight)
        }
        count -= 1
        weight -= taken?.weight ?? 0
        return taken
    }
}
