import Synchronization

// Descriptors are named by slot and generation. The generation changes when a slot is freed, so an event that the
// kernel reported for a descriptor removed a moment ago, in the same batch, finds another generation and is dropped. In
// steady state a turn is one wait, two clock reads and no allocation.

/// After ``EventLoop/remove(_:)`` it names nothing, even when its slot is used again.
package struct EventToken: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    var key: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// Called on the loop's thread.
package protocol EventHandler: AnyObject {
    /// Edge-triggered: move bytes until ``TransferResult/wouldBlock`` (or a short receive), or remember the readiness.
    func handle(_ readiness: Readiness, on loop: EventLoop)
    /// The token names nothing any more.
    func timerFired(_ timer: TimerToken, on loop: EventLoop)
}

extension EventHandler {
    package func timerFired(_ timer: TimerToken, on loop: EventLoop) {}
}

/// Lives on the thread that made it; other threads reach it by a ``Mailbox`` or by ``LoopThread/stop()``.
@safe package final class EventLoop {
    private struct Slot {
        var generation: UInt32
        var descriptor: Int32
        var handler: (any EventHandler)?
    }

    private static let wakeKey = UInt64.max
    private static let eventLimit = 256
    private static let spareMessageLimit = 1024
    /// Failed waits in a row before the loop gives up, and the pause after each.
    private static let failedWaitLimit = 100
    private static let failedWaitPause = Duration.milliseconds(10)

    package let clock: Clock
    // Variables of the loop's thread alone. They are atomics, or unchecked, because the checks at run time for overlapping
    // access were 5 in 100 of a hit's instructions (`scripts/bench counts`, service/hit).
    private let turnNanoseconds: Atomic<Int64>
    private let turnUnixSeconds: Atomic<Int64>
    /// Events of descriptors that had been removed.
    package private(set) var staleEventCount = 0

    let waker: LoopWaker
    private let poller: Poller
    private let events: UnsafeMutableBufferPointer<PollerEvent>
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    // Nothing that changes the wheel calls back.
    @exclusivity(unchecked) private var timers = TimerWheel<any EventHandler>()
    private var mailboxDrains: [() -> Void] = []
    private var failedWaitCount = 0

    /// For the calling thread. Errors: `EMFILE`, `ENFILE`, `ENOMEM`.
    package init(clock: Clock = .system) throws(Errno) {
        self.clock = clock
        turnNanoseconds = Atomic(clock.monotonic().nanoseconds)
        turnUnixSeconds = Atomic(clock.unixSeconds())
        waker = try LoopWaker()
        poller = try Poller()
        unsafe events = .allocate(capacity: EventLoop.eventLimit)
        try poller.add(waker.descriptor, .read, key: EventLoop.wakeKey)
    }

    deinit { unsafe events.deallocate() }

    /// When this turn began.
    package var now: MonotonicInstant { MonotonicInstant(nanoseconds: turnNanoseconds.load(ordering: .relaxed)) }
    /// When this turn began.
    package var unixSeconds: Int64 { turnUnixSeconds.load(ordering: .relaxed) }

    package var descriptorCount: Int { slots.count - freeSlots.count }

    /// Watches the non-blocking descriptor `fd` until ``remove(_:)``; the caller closes it. Ready events come in the next turn.
    /// O(1), one system call. Errors: `EEXIST` (watched already), `EBADF`, `EPERM` (a regular file), `ENOSPC`, `ENOMEM`.
    package func add(_ fd: Int32, _ interest: PollInterest, _ handler: any EventHandler) throws(Errno) -> EventToken {
        let slot = freeSlots.last ?? UInt32(truncatingIfNeeded: slots.count)
        let isNew = Int(slot) == slots.count
        let token = EventToken(slot: slot, generation: isNew ? 0 : slots[Int(slot)].generation)
        try poller.add(fd, interest, key: token.key)
        if isNew {
            slots.append(Slot(generation: 0, descriptor: fd, handler: handler))
        } else {
            freeSlots.removeLast()
            slots[Int(slot)].descriptor = fd
            slots[Int(slot)].handler = handler
        }
        return token
    }

    /// Tells again what is ready. An empty interest pauses all but hang-ups and errors. One system call. Errors: `ENOENT`, `ENOMEM`.
    package func modify(_ token: EventToken, _ interest: PollInterest) throws(Errno) {
        guard let slot = index(of: token) else { throw .noSuchEntry }
        try poller.modify(slots[slot].descriptor, interest, key: token.key)
    }

    /// Drops events already reported; ignores a dead token. Call it before closing the descriptor. One system call.
    package func remove(_ token: EventToken) {
        guard let slot = index(of: token) else { return }
        poller.remove(slots[slot].descriptor)
        let handler = slots[slot].handler
        slots[slot].handler = nil
        slots[slot].descriptor = -1
        slots[slot].generation &+= 1
        freeSlots.append(token.slot)
        // Let go last: a handler's deinitialiser may use the loop.
        withExtendedLifetime(handler) {}
    }

    private func index(of token: EventToken) -> Int? {
        let slot = Int(token.slot)
        guard slot < slots.count, slots[slot].generation == token.generation, slots[slot].handler != nil else {
            return nil
        }
        return slot
    }

    /// Calls `handler` once in the first turn at or after `deadline`, rounded up to a millisecond. O(1), no system call.
    package func schedule(at deadline: MonotonicInstant, _ handler: any EventHandler) -> TimerToken {
        unsafe timers.schedule(at: deadline, handler)
    }

    /// Returns whether it still waited. O(1).
    @discardableResult package func reschedule(_ timer: TimerToken, at deadline: MonotonicInstant) -> Bool {
        unsafe timers.reschedule(timer, at: deadline)
    }

    /// Returns whether it still waited. Takes effect at once, also between two timers of one turn.
    @discardableResult package func cancel(_ timer: TimerToken) -> Bool { unsafe timers.cancel(timer) }
    package var timerCount: Int { unsafe timers.count }

    /// Lives as long as the loop; `drain` gets messages on this thread, in batches never empty.
    package func makeMailbox<Message: Sendable>(drain: @escaping ([Message]) -> Void) -> Mailbox<Message> {
        let mailbox = Mailbox<Message>(waker: waker)
        var spare: [Message] = []
        mailboxDrains.append {
            var batch: [Message] = []
            swap(&batch, &spare)
            mailbox.take(into: &batch)
            if !batch.isEmpty {
                drain(batch)
                // The storage of a rare large batch is not kept.
                batch.removeAll(keepingCapacity: batch.capacity <= EventLoop.spareMessageLimit)
            }
            swap(&batch, &spare)
        }
        return mailbox
    }

    /// Until ``stop()``; earlier messages are still delivered. Throws what the poller does not recover from within a second.
    package func run() throws(Errno) {
        #if DEBUG
            try ForcedErrors.counting { () throws(Errno) in try turnUntilStopped() }
        #else
            try turnUntilStopped()
        #endif
    }

    private func turnUntilStopped() throws(Errno) {
        while !waker.shouldStop { try turn() }
        drainMailboxes()
    }

    package func stop() { waker.requestStop() }

    /// Releases handlers, timers and mailboxes, which may hold the loop; later messages are dropped. For the caller of ``run()``.
    package func end() {
        let drains = mailboxDrains
        mailboxDrains = []
        for (index, slot) in slots.enumerated() where slot.handler != nil {
            remove(EventToken(slot: UInt32(truncatingIfNeeded: index), generation: slot.generation))
        }
        let timers = unsafe timers
        unsafe self.timers = TimerWheel()
        // Last: their deinitialisers may use the loop.
        withExtendedLifetime((drains, timers)) {}
    }

    /// Waits for an event, a message or a deadline, at most `maximumWait`; returns how many events and deadlines there were.
    @discardableResult package func turn(maximumWait: Duration? = nil) throws(Errno) -> Int {
        let count = try wait(maximumWait)
        turnNanoseconds.store(clock.monotonic().nanoseconds, ordering: .relaxed)
        turnUnixSeconds.store(clock.unixSeconds(), ordering: .relaxed)
        // Descriptors first: bytes that came in time move the idle deadline before it can fire.
        dispatch(count)
        return count + fireTimers()
    }

    /// A failed wait is an empty turn after a pause, as memory may be short (poll(2)); after failing for a second it throws.
    private func wait(_ maximumWait: Duration?) throws(Errno) -> Int {
        do throws(Errno) {
            #if DEBUG
                if let forced = ForcedErrors.next(.wait) { throw forced }
            #endif
            let count = try unsafe poller.wait(timeoutMilliseconds: timeoutMilliseconds(maximumWait), into: events)
            failedWaitCount = 0
            return count
        } catch {
            failedWaitCount += 1
            guard failedWaitCount < Self.failedWaitLimit else { throw error }
            Processors.pause(Self.failedWaitPause)
            return 0
        }
    }

    private func timeoutMilliseconds(_ maximumWait: Duration?) -> Int32 {
        var wait = maximumWait?.saturatedNanoseconds ?? .max
        if let deadline = unsafe timers.nextDeadline {
            wait = min(wait, deadline.nanosecondsLeft(from: clock.monotonic()))
        }
        if wait == .max { return -1 }
        if wait <= 0 { return 0 }
        // Rounded up, so that the deadline has come when the wait ends; a day at most, then the turn is repeated.
        return Int32(min((wait - 1) / 1_000_000 + 1, 86_400_000))
    }

    private func dispatch(_ count: Int) {
        var isWoken = false
        for index in 0..<count {
            let event = unsafe events[index]
            if event.key == EventLoop.wakeKey {
                isWoken = true
                continue
            }
            let slot = Int(event.key & 0xFFFF_FFFF)
            guard slot < slots.count, UInt64(slots[slot].generation) == event.key >> 32,
                let handler = slots[slot].handler
            else {
                staleEventCount &+= 1
                continue
            }
            handler.handle(event.readiness, on: self)
        }
        if isWoken {
            waker.takeSignal()
            drainMailboxes()
        }
    }

    private func drainMailboxes() {
        var index = 0
        // A drain may make another mailbox.
        while index < mailboxDrains.count {
            mailboxDrains[index]()
            index += 1
        }
    }

    /// Timers scheduled during this pass wait for the next turn, so that they do not hold up the descriptors.
    private func fireTimers() -> Int {
        unsafe timers.advance(to: now)
        var count = 0
        while let due = unsafe timers.popDue() {
            due.handler.timerFired(due.token, on: self)
            count += 1
        }
        return count
    }
}
