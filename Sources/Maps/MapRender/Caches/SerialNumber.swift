import Synchronization

/// Numbers of objects, so that caches can refer to one without keeping it alive.
enum SerialNumber {
    private static let count = Atomic<UInt64>(0)

    /// Unique in the process.
    static func next() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
