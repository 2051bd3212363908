@usableFromInline struct EvictionSlot<Payload: Sendable>: Sendable {
    @usableFromInline var key: EvictionKey
    /// Nil where the slot is free.
    @usableFromInline var payload: Payload?
    /// When it was used last or came in, in uses of the queue; later where uses were halved since. Or the next free slot.
    @usableFromInline var stamp: UInt32
    /// Half uses in bits 0 to 3, time saved per byte (1: a typical picture) in 15 bits, weight above: one word, as there are
    /// millions.
    @usableFromInline var state: UInt64

    @inlinable static var halfUsesLimit: UInt64 { 15 }

    /// A cost of 0 is not known, and taken to be in proportion to the weight.
    @inlinable
    init(key: EvictionKey, payload: Payload, weight: Int, costMicroseconds: UInt64, halfUses: UInt64, stamp: UInt32) {
        self.key = key
        self.payload = payload
        self.stamp = stamp
        // A typical picture of 20,000 bytes takes 40 ms, 2 µs a byte. Bounded, so that costly ones cannot stay unused.
        let perByte = Float(costMicroseconds) / Float(max(weight, 1))
        let value = costMicroseconds == 0 ? 1 : min(max(perByte / 2, 0x1p-4), 0x1p4)
        // The upper half of a positive number: eight bits of exponent, seven of fraction.
        state = UInt64(weight) << 19 | UInt64(truncatingIfNeeded: value.bitPattern >> 16) << 4 | halfUses
    }

    @inlinable var weight: Int { Int(state >> 19) }
    @inlinable var value: Float { Float(bitPattern: UInt32(truncatingIfNeeded: state >> 4 & 0x7fff) << 16) }
    @inlinable var halfUses: UInt64 { state & Self.halfUsesLimit }

    @inlinable mutating func countUse(at time: UInt32) {
        state += min(2, Self.halfUsesLimit - halfUses)
        stamp = time
    }

    /// The lowest leaves; one that was never used ranks below all that were, whatever their values.
    @inlinable var rank: Float { value * (halfUses == 0 ? 0x1p-8 : Float(halfUses)) }

    /// Halves the uses; next time after half of the rest.
    @inlinable mutating func halve(at time: UInt32) {
        state = state & ~Self.halfUsesLimit | halfUses >> 1
        stamp = time &- (time &- stamp) / 2
    }
}
