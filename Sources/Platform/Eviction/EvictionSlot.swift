/// Where an entry of a queue is kept: 32 bytes and the payload.
@usableFromInline
struct EvictionSlot<Payload: Sendable>: Sendable {
    @usableFromInline var key: EvictionKey
    /// Nil where the slot is free.
    @usableFromInline var payload: Payload?
    /// How often the entry was used in bits 0 and 1, whether it is in the main queue in bit 2, the weight above: one word,
    /// as there are millions.
    @usableFromInline var state: UInt64
    /// The next entry on the way in.
    @usableFromInline var newer: Int32 = -1
    /// The next entry on the way out, or the next free slot.
    @usableFromInline var older: Int32 = -1

    @inlinable
    init(key: EvictionKey, payload: Payload, weight: Int, isInMain: Bool, useCount: UInt64) {
        self.key = key
        self.payload = payload
        state = UInt64(weight) << 3 | (isInMain ? 0b100 : 0) | useCount
    }

    @inlinable var weight: Int { Int(state >> 3) }
    @inlinable var isInMain: Bool { state & 0b100 != 0 }
    @inlinable var useCount: UInt64 { state & 0b11 }

    /// Counts one use; those beyond three make no difference.
    @inlinable
    mutating func countUse() {
        if useCount < 3 { state += 1 }
    }

    @inlinable
    mutating func putInMain(useCount: UInt64) {
        state = state & ~0b11 | 0b100 | useCount
    }
}

/// One of the two queues that entries wait in.
@usableFromInline
struct EvictionLine: Sendable {
    @usableFromInline var newest: Int32 = -1
    @usableFromInline var oldest: Int32 = -1
    @usableFromInline var count = 0
    @usableFromInline var weight = 0

    @inlinable
    init() {}
}
