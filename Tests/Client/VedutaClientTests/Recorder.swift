import Synchronization

/// Gathers values from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let held = Mutex<[Value]>([])

    var values: [Value] { held.withLock { $0 } }

    func add(_ value: Value) { held.withLock { $0.append(value) } }
}
