// Where entries lie, and how they are found by their key.

extension EvictionQueue {
    /// Small beside the smallest useful cache, large beside the allocator's header.
    @inlinable static var pageLength: Int { 128 }

    @inlinable
    subscript(slot: Int32) -> EvictionSlot<Payload> { pages[Int(slot) / Self.pageLength][Int(slot) % Self.pageLength] }

    @inlinable
    mutating func withSlot<Result>(_ slot: Int32, _ body: (inout EvictionSlot<Payload>) -> Result) -> Result {
        body(&pages[Int(slot) / Self.pageLength][Int(slot) % Self.pageLength])
    }

    @inlinable
    mutating func add(_ payload: Payload, _ key: EvictionKey, weight: Int, costMicroseconds: UInt64, halfUses: UInt64) {
        let slot = makeSlot(
            EvictionSlot(
                key: key, payload: payload, weight: weight, costMicroseconds: costMicroseconds,
                halfUses: halfUses, stamp: time))
        takenCounts[Int(slot) / Self.pageLength] += 1
        count += 1
        self.weight += weight
        addToTable(slot, key)
    }

    @inlinable mutating func makeSlot(_ entry: EvictionSlot<Payload>) -> Int32 {
        if freeSlot >= 0 {
            let slot = freeSlot
            freeSlot = Int32(bitPattern: self[slot].stamp)
            withSlot(slot) { $0 = entry }
            return slot
        }
        if slotCount == pages.count * Self.pageLength {
            var page: [EvictionSlot<Payload>] = []
            page.reserveCapacity(Self.pageLength)
            pages.append(page)
            takenCounts.append(0)
        }
        pages[pages.count - 1].append(entry)
        slotCount += 1
        return Int32(slotCount - 1)
    }

    @inlinable func slot(of key: EvictionKey) -> Int32? {
        var place = table.home(of: key)
        while let slot = table.nextSlot(maybeOf: key, from: &place) {
            if hasKey(slot, key) { return slot }
        }
        return nil
    }

    @inlinable func hasKey(_ slot: Int32, _ key: EvictionKey) -> Bool {
        let (page, place) = (Int(slot) / Self.pageLength, Int(slot) % Self.pageLength)
        return pages[page][place].key.low == key.low && pages[page][place].key.high == key.high
    }

    @inlinable mutating func addToTable(_ slot: Int32, _ key: EvictionKey) {
        if table.isFull(slotCount: slotCount) {
            table = SlotTable(slotCount: slotCount)
            for slot in 0..<Int32(slotCount) {
                let entry = self[slot]
                if entry.payload != nil { table.insert(slot, entry.key) }
            }
        } else {
            table.insert(slot, key)
        }
    }

    @inlinable mutating func removeFromTable(_ slot: Int32) {
        let key = self[slot].key
        var place = table.home(of: key)
        while let found = table.nextSlot(maybeOf: key, from: &place) {
            guard found == slot else { continue }
            // `place` is already past the found one.
            var hole = table.place(before: place)
            while let follower = table.slot(at: place) {
                if table.mayMove(homeOf: self[follower].key, from: place, to: hole) {
                    table.move(from: place, to: hole)
                    hole = place
                }
                place = table.place(after: place)
            }
            table.clear(hole)
            return
        }
    }
}
