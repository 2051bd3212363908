/// What an entry is known by: 128 uniform bits of a digest, enough to tell all entries of a service apart.
@usableFromInline
package struct EvictionKey: Hashable, Sendable {
    /// The first 64 bits.
    @usableFromInline package let high: UInt64
    /// The other 64 bits.
    @usableFromInline package let low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
