// A hierarchical timing wheel (Varghese and Lauck 1987, scheme 7). Eight levels of 64 lists divide all the time that a
// `MonotonicInstant` can name into milliseconds, so nothing lies beyond the wheel. A timer's level is that of the highest
// digit, to base 64, in which its tick differs from the current one; when time reaches its list, it moves to a finer level,
// or fires. Every request moves its connection's idle timer: two stores when it stays in its list, otherwise four links.

/// Names a scheduled timer; after it fired or was cancelled it names nothing, even when its slot is used again.

package struct TimerToken: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
}

/// Deadlines are rounded up to whole milliseconds; timers of one millisecond fire in order, but a moved one may keep
/// its place. Schedule, move and cancel are O(1), and so is firing, after at most seven moves from list to list.
struct TimerWheel<Handler> {
    /// Links 0... are the lists themselves, then one for each slot.
    private struct Link {
        var next: UInt32
        var previous: UInt32
    }

    private struct Slot {
        var tick: Int64
        var generation: UInt32
        var list: UInt32
        var handler: Handler?
    }

    struct Due {
        var token: TimerToken
        var handler: Handler
    }

    private static var digitBits: Int { 6 }
    private static var levelCount: Int { 8 }
    /// Collected by ``advance(to:)``.
    private static var dueList: UInt32 { 512 }
    /// Due when they were scheduled; the next ``advance(to:)`` collects them.
    private static var lateList: UInt32 { 513 }
    private static var freeList: UInt32 { 514 }
    private static var listCount: UInt32 { 515 }
    private static var nanosecondsPerTick: Int64 { 1_000_000 }
    private var links = (0..<listCount).map { Link(next: $0, previous: $0) }
    private var slots: [Slot] = []
    /// One bit for each list that is not empty.
    private var occupancy = [UInt64](repeating: 0, count: levelCount)
    /// No timer of a list is due before this tick; moved and cancelled timers leave it as it was.
    private var earliest = [Int64](repeating: 0, count: Int(dueList))
    private var currentTick: Int64 = 0
    private(set) var count = 0

    /// Never later than a deadline; too early only after moves and cancels, which ``advance(to:)`` corrects once.
    var nextDeadline: MonotonicInstant? {
        if !isEmpty(Self.dueList) || !isEmpty(Self.lateList) { return instant(currentTick) }
        guard let level = firstLevel else { return nil }
        return instant(earliest[Int(firstList(of: level))])
    }

    mutating func schedule(at deadline: MonotonicInstant, _ handler: Handler) -> TimerToken {
        let slot: UInt32
        if isEmpty(Self.freeList) {
            slot = UInt32(truncatingIfNeeded: slots.count)
            slots.append(Slot(tick: 0, generation: 0, list: Self.freeList, handler: nil))
            links.append(Link(next: 0, previous: 0))
        } else {
            slot = links[Int(Self.freeList)].next - Self.listCount
            unlink(slot)
        }
        slots[Int(slot)].handler = handler
        slots[Int(slot)].tick = Self.tick(notBefore: deadline)
        insert(slot)
        count += 1
        return TimerToken(slot: slot, generation: slots[Int(slot)].generation)
    }

    mutating func cancel(_ token: TimerToken) -> Bool {
        guard isWaiting(token) else { return false }
        remove(token.slot)
        return true
    }

    /// Returns whether it still waited.
    mutating func reschedule(_ token: TimerToken, at deadline: MonotonicInstant) -> Bool {
        guard isWaiting(token) else { return false }
        let slot = Int(token.slot)
        let tick = Self.tick(notBefore: deadline)
        slots[slot].tick = tick
        let list = self.list(for: tick)
        if list == slots[slot].list, list < Self.dueList {
            if tick < earliest[Int(list)] { earliest[Int(list)] = tick }
        } else {
            unlink(token.slot)
            insert(token.slot)
        }
        return true
    }

    /// Collects what is due at `now`, which never decreases.
    mutating func advance(to now: MonotonicInstant) {
        let target = max(currentTick, now.nanoseconds / Self.nanosecondsPerTick)
        while let slot = first(of: Self.lateList) { move(slot, to: Self.dueList) }
        while let level = firstLevel {
            // The lists of a level that lie before the current tick are empty: its first list is the next to come.
            let list = firstList(of: level)
            let start = self.start(of: list, level: level)
            if start > target { break }
            currentTick = start
            while let slot = first(of: list) {
                if slots[Int(slot)].tick <= currentTick {
                    move(slot, to: Self.dueList)
                } else {
                    unlink(slot)
                    insert(slot)
                }
            }
        }
        currentTick = target
    }

    mutating func popDue() -> Due? {
        guard let slot = first(of: Self.dueList), let handler = slots[Int(slot)].handler else { return nil }
        let token = TimerToken(slot: slot, generation: slots[Int(slot)].generation)
        remove(slot)
        return Due(token: token, handler: handler)
    }

    private static func tick(notBefore deadline: MonotonicInstant) -> Int64 {
        let nanoseconds = deadline.nanoseconds
        return nanoseconds <= 0 ? 0 : (nanoseconds - 1) / nanosecondsPerTick + 1
    }

    private func instant(_ tick: Int64) -> MonotonicInstant {
        let (nanoseconds, overflow) = tick.multipliedReportingOverflow(by: Self.nanosecondsPerTick)
        return overflow ? .distantFuture : MonotonicInstant(nanoseconds: nanoseconds)
    }

    private func isWaiting(_ token: TimerToken) -> Bool {
        let slot = Int(token.slot)
        return slot < slots.count && slots[slot].generation == token.generation && slots[slot].handler != nil
    }
}

extension TimerWheel {
    /// Where a timer of `tick` belongs now.
    private func list(for tick: Int64) -> UInt32 {
        guard tick > currentTick else { return Self.lateList }
        let highestBit = Int64.bitWidth - 1 - (tick ^ currentTick).leadingZeroBitCount
        let level = highestBit / Self.digitBits
        return UInt32(level << Self.digitBits) | UInt32(truncatingIfNeeded: tick >> (level * Self.digitBits)) & 63
    }

    private var firstLevel: Int? { occupancy.firstIndex { $0 != 0 } }

    private func firstList(of level: Int) -> UInt32 {
        UInt32(level << Self.digitBits | occupancy[level].trailingZeroBitCount)
    }

    /// For a list that the current tick has not reached: the digits above its level are the current ones.
    private func start(of list: UInt32, level: Int) -> Int64 {
        let shift = level * Self.digitBits
        let above = currentTick >> (shift + Self.digitBits)
        return (above << Self.digitBits | Int64(list & 63)) << shift
    }

    private func isEmpty(_ list: UInt32) -> Bool { links[Int(list)].next == list }

    private func first(of list: UInt32) -> UInt32? {
        let next = links[Int(list)].next
        return next == list ? nil : next - Self.listCount
    }

    private mutating func insert(_ slot: UInt32) {
        let tick = slots[Int(slot)].tick
        let list = self.list(for: tick)
        if list < Self.dueList, isEmpty(list) || tick < earliest[Int(list)] { earliest[Int(list)] = tick }
        append(slot, to: list)
    }

    private mutating func move(_ slot: UInt32, to list: UInt32) {
        unlink(slot)
        append(slot, to: list)
    }

    private mutating func append(_ slot: UInt32, to list: UInt32) {
        let link = slot + Self.listCount
        let last = links[Int(list)].previous
        links[Int(link)] = Link(next: list, previous: last)
        links[Int(last)].next = link
        links[Int(list)].previous = link
        slots[Int(slot)].list = list
        if list < Self.dueList { occupancy[Int(list >> 6)] |= 1 << UInt64(list & 63) }
    }

    private mutating func unlink(_ slot: UInt32) {
        let link = links[Int(slot + Self.listCount)]
        links[Int(link.previous)].next = link.next
        links[Int(link.next)].previous = link.previous
        // Only the list itself is its own neighbour.
        let list = slots[Int(slot)].list
        if link.next == link.previous, list < Self.dueList, isEmpty(list) {
            occupancy[Int(list >> 6)] &= ~(1 << UInt64(list & 63))
        }
    }

    private mutating func remove(_ slot: UInt32) {
        move(slot, to: Self.freeList)
        slots[Int(slot)].handler = nil
        slots[Int(slot)].generation &+= 1
        count -= 1
    }
}
