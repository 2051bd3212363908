import Synchronization

/// Work that equal requests share while it is under way. A waiter that leaves does not end the work of the others; the last one
/// that leaves does.
final class SharedTransfers<Value: Sendable>: Sendable {
    typealias Report = @Sendable (TransferProgress) -> Void

    private struct Waiter {
        var continuation: CheckedContinuation<Value, any Error>
        var report: Report?
    }

    private struct Flight {
        var id: UInt64
        var task: Task<Void, Never>?
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state = Mutex<(lastID: UInt64, flights: [String: Flight])>((0, [:]))

    /// What `work` gives for `key`; it is called unless it is under way for another caller.
    func value(
        for key: String, priority: TaskPriority? = nil, progress: Report? = nil,
        _ work: @escaping @Sendable (@escaping Report) async throws -> Value
    ) async throws -> Value {
        let id = newID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(continuation: continuation, report: progress)
                let begun: UInt64? = state.withLock { state in
                    if state.flights[key] != nil {
                        state.flights[key]?.waiters[id] = waiter
                        return nil
                    }
                    state.flights[key] = Flight(id: id, waiters: [id: waiter])
                    return id
                }
                if let begun { begin(key, flight: begun, priority, work) }
                // The handler below runs before a waiter is known where the task was cancelled by then.
                if Task.isCancelled { leave(key, id) }
            }
        } onCancel: {
            leave(key, id)
        }
    }

    private func newID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func begin(
        _ key: String, flight: UInt64, _ priority: TaskPriority?,
        _ work: @escaping @Sendable (@escaping Report) async throws -> Value
    ) {
        let task = Task(priority: priority) {
            let result: Result<Value, any Error>
            do {
                result = .success(try await work { self.report($0, key, flight) })
            } catch {
                result = .failure(error)
            }
            self.end(key, flight, result)
        }
        let isOver = state.withLock { state in
            guard state.flights[key]?.id == flight else { return true }
            state.flights[key]?.task = task
            return false
        }
        // Everybody left before the task was known; it may also just have ended.
        if isOver { task.cancel() }
    }

    private func report(_ progress: TransferProgress, _ key: String, _ flight: UInt64) {
        let reports = state.withLock { state in
            state.flights[key].map { $0.id == flight ? $0.waiters.values.compactMap(\.report) : [] } ?? []
        }
        for report in reports { report(progress) }
    }

    private func end(_ key: String, _ flight: UInt64, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            guard state.flights[key]?.id == flight else { return [Waiter]() }
            return Array(state.flights.removeValue(forKey: key)?.waiters.values ?? [:].values)
        }
        for waiter in waiters { waiter.continuation.resume(with: result) }
    }

    private func leave(_ key: String, _ id: UInt64) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: id) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: key)?.task)
        }
        waiter?.continuation.resume(throwing: VedutaError.cancelled)
        task?.cancel()
    }
}

/// How far a transfer is.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes that have come or gone.
    public let byteCount: Int64
    /// How many there are in all, if known.
    public let total: Int64?

    /// 0…1, if the total is known.
    public var fraction: Double? { total.map { $0 > 0 ? min(1, Double(byteCount) / Double($0)) : 1 } }
}
