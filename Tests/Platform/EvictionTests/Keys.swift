import Eviction
import SeededRandom

/// The key for a number: uniform bits, as of a digest.
func key(_ number: Int) -> EvictionKey {
    var numbers = SeededGenerator(state: UInt64(truncatingIfNeeded: number) &* 0x2545_f491_4f6c_dd1d)
    return EvictionKey(high: numbers.next(), low: numbers.next())
}
