import Synchronization

/// Asks whether work shall stop, from callbacks of libvips on any of its threads.
final class StopQuestion: Sendable {
    private let shouldStop: @Sendable () -> Bool
    private let answeredYes = Atomic(false)

    init(_ shouldStop: @escaping @Sendable () -> Bool) {
        self.shouldStop = shouldStop
    }

    /// Whether the answer was ever yes; the work may have failed for that reason.
    var wasAnsweredYes: Bool { answeredYes.load(ordering: .relaxed) }

    /// For C: `context` is an unretained reference to a `StopQuestion`.
    static func ask(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = unsafe context else { return 0 }
        let question = unsafe Unmanaged<StopQuestion>.fromOpaque(context).takeUnretainedValue()
        guard question.shouldStop() else { return 0 }
        question.answeredYes.store(true, ordering: .relaxed)
        return 1
    }
}
