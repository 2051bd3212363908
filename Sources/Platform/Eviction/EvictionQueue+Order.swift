// What leaves next, and how entries move between the queues.

extension EvictionQueue {
    @usableFromInline struct Before: Sendable {
        @usableFromInline var payload: Payload?
        @usableFromInline var isInMain: Bool
        @usableFromInline var useCount: UInt64

        @inlinable init(payload: Payload?, isInMain: Bool, useCount: UInt64) {
            self.payload = payload
            self.isInMain = isInMain
            self.useCount = useCount
        }
    }

    /// A key evicted lately goes to the main queue; a replaced entry keeps its queue.
    @inlinable mutating func takeBefore(_ key: EvictionKey) -> Before {
        let isGhost = ghosts.remove(key, limit: count)
        guard let slot = slot(of: key) else { return Before(payload: nil, isInMain: isGhost, useCount: 0) }
        let entry = self[slot]
        return Before(
            payload: take(slot)?.payload, isInMain: isGhost || entry.isInMain, useCount: entry.useCount)
    }

    @inlinable mutating func add(_ payload: Payload, for key: EvictionKey, weight: Int, _ before: Before) {
        let slot = makeSlot(
            EvictionSlot(
                key: key, payload: payload, weight: weight, isInMain: before.isInMain, useCount: before.useCount))
        addToTable(slot, key)
        link(slot)
    }

    /// Used entries met on the way move to the new end of the main queue.
    @inlinable mutating func evict(_ passCount: inout Int) -> Evicted? {
        while true {
            let mayPass = passCount < Self.passLimit
            // A queue of only used entries would hold everybody up: after `passLimit` the oldest in main leaves anyway.
            let isFromSmall = small.oldest >= 0 && (main.oldest < 0 || (mayPass && small.weight > capacity / 10))
            let slot = isFromSmall ? small.oldest : main.oldest
            guard slot >= 0 else { return nil }
            let entry = self[slot]
            if entry.useCount > 0, mayPass {
                passCount += 1
                unlink(slot)
                withSlot(slot) { $0.putInMain(useCount: isFromSmall ? 0 : entry.useCount - 1) }
                link(slot)
                continue
            }
            if isFromSmall { ghosts.insert(entry.key, limit: count) }
            return take(slot)
        }
    }

    @inlinable mutating func take(_ slot: Int32) -> Evicted? {
        unlink(slot)
        removeFromTable(slot)
        let next = freeSlot
        freeSlot = slot
        return withSlot(slot) { entry in
            entry.older = next
            guard let payload = entry.payload.take() else { return nil }
            return Evicted(key: entry.key, payload: payload, weight: entry.weight)
        }
    }

    @inlinable mutating func link(_ slot: Int32) {
        let entry = self[slot]
        let newest = entry.isInMain ? main.newest : small.newest
        withSlot(slot) {
            $0.newer = -1
            $0.older = newest
        }
        if newest >= 0 { withSlot(newest) { $0.newer = slot } }
        withLine(entry.isInMain) {
            $0.newest = slot
            if newest < 0 { $0.oldest = slot }
            $0.count += 1
            $0.weight += entry.weight
        }
    }

    @inlinable mutating func unlink(_ slot: Int32) {
        let entry = self[slot]
        if entry.newer >= 0 { withSlot(entry.newer) { $0.older = entry.older } }
        if entry.older >= 0 { withSlot(entry.older) { $0.newer = entry.newer } }
        withLine(entry.isInMain) {
            if entry.newer < 0 { $0.newest = entry.older }
            if entry.older < 0 { $0.oldest = entry.newer }
            $0.count -= 1
            $0.weight -= entry.weight
        }
    }

    @inlinable mutating func withLine(_ isMain: Bool, _ body: (inout EvictionLine) -> Void) {
        if isMain { body(&main) } else { body(&small) }
    }
}
