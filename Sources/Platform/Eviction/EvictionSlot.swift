@usableFromInline struct EvictionSlot<Payload: Sendable>: Sendable {
    @usableFromInline var key: EvictionKey
    /// Nil where the slot is free.
    @usableFromInline var payload: Payload?
    /// Use count in bits 0 and 1, main queue in bit 2, weight above: one word, as there are millions.
    @usableFromInline var state: UInt64
    @usableFromInline var newer: Int32 = -1
    /// Or the next free slot.
    @usableFromInline var older: Int32 = -1

    @inlinable init(key: EvictionKey, payload: Payload, weight: Int, isInMain: Bool, useCount: UInt64) {
        self.key = key
        self.payload = payload
        state = UInt64(weight) << 3 | (isInMain ? 0b100 : 0) | useCount
    }

    @inlinable var weight: Int { Int(state >> 3) }
    @inlinable var isInMain: Bool { state & 0b100 != 0 }
    @inlinable var useCount: UInt64 { state & 0b11 }

    /// Up to three.
    @inlinable mutating func countUse() { if useCount < 3 { state += 1 } }
    @inlinable mutating func putInMain(useCount: UInt64) { state = state & ~0b11 | 0b100 | useCount }
}

@usableFromInline struct EvictionLine: Sendable {
    @usableFromInline var newest: Int32 = -1
    @usableFromInline var oldest: Int32 = -1
    @usableFromInline var count = 0
    @usableFromInline var weight = 0

    @inlinable init() {}
}
