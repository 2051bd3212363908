import Synchronization

final class StoreCounters: Sendable {
    let hits = Atomic<Int>(0)
    let misses = Atomic<Int>(0)
    let stores = Atomic<Int>(0)
    let evictions = Atomic<Int>(0)
    let corruptions = Atomic<Int>(0)
    /// Whether the whole folder has been listed.
    let isIndexed = Atomic<Bool>(false)
}
