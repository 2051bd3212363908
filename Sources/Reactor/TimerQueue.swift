/// Names a scheduled timer; a token that was cancelled or has fired names nothing, also after its slot is used again.
package struct TimerToken: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
}

/// Timers in the order of their deadlines; equal deadlines in the order of scheduling.
///
/// A binary heap whose elements know their place, so that cancelling removes at once and nothing lingers: a keep-alive
/// connection moves its timer with every request. Schedule, move and cancel are O(log n), next deadline is O(1).
struct TimerQueue<Handler> {
    private struct Entry {
        var deadline: MonotonicInstant
        var sequence: UInt64
        var slot: UInt32

        func precedes(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence
        }
    }

    private struct Slot {
        var generation: UInt32
        var position: Int
        var handler: Handler?
    }

    struct Due {
        var token: TimerToken
        var handler: Handler
    }

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    /// The number of the next scheduled timer; timers with smaller ones were scheduled before.
    private(set) var nextSequence: UInt64 = 0

    var count: Int { heap.count }

    var nextDeadline: MonotonicInstant? { heap.first?.deadline }

    mutating func schedule(at deadline: MonotonicInstant, _ handler: Handler) -> TimerToken {
        let slot: UInt32
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = UInt32(truncatingIfNeeded: slots.count)
            slots.append(Slot(generation: 0, position: 0, handler: nil))
        }
        slots[Int(slot)].handler = handler
        slots[Int(slot)].position = heap.count
        heap.append(Entry(deadline: deadline, sequence: takeSequence(), slot: slot))
        rise(from: heap.count - 1)
        return TimerToken(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Whether the timer still waited.
    mutating func cancel(_ token: TimerToken) -> Bool {
        guard let position = position(of: token) else { return false }
        remove(at: position)
        return true
    }

    /// Moves a waiting timer; whether it still waited.
    mutating func reschedule(_ token: TimerToken, at deadline: MonotonicInstant) -> Bool {
        guard let position = position(of: token) else { return false }
        heap[position].deadline = deadline
        heap[position].sequence = takeSequence()
        settle(position)
        return true
    }

    /// Takes the first timer out if it is due at `now` and was scheduled before number `sequenceLimit`.
    mutating func popDue(at now: MonotonicInstant, before sequenceLimit: UInt64) -> Due? {
        guard let first = heap.first, first.deadline <= now, first.sequence < sequenceLimit else { return nil }
        let slot = slots[Int(first.slot)]
        remove(at: 0)
        guard let handler = slot.handler else { return nil }
        return Due(token: TimerToken(slot: first.slot, generation: slot.generation), handler: handler)
    }

    private mutating func takeSequence() -> UInt64 {
        defer { nextSequence &+= 1 }
        return nextSequence
    }

    private func position(of token: TimerToken) -> Int? {
        let slot = Int(token.slot)
        guard slot < slots.count, slots[slot].generation == token.generation, slots[slot].handler != nil else {
            return nil
        }
        return slots[slot].position
    }

    private mutating func remove(at position: Int) {
        let slot = heap[position].slot
        slots[Int(slot)].handler = nil
        slots[Int(slot)].generation &+= 1
        freeSlots.append(slot)
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        slots[Int(last.slot)].position = position
        settle(position)
    }

    private mutating func settle(_ position: Int) {
        if position > 0, heap[position].precedes(heap[(position - 1) / 2]) {
            rise(from: position)
        } else {
            sink(from: position)
        }
    }

    private mutating func rise(from start: Int) {
        let entry = heap[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(entry, at: position)
    }

    private mutating func sink(from start: Int) {
        let entry = heap[start]
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(entry) else { break }
            place(heap[child], at: position)
            position = child
        }
        place(entry, at: position)
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        heap[position] = entry
        slots[Int(entry.slot)].position = position
    }
}
