/// What a job takes besides a thread.
package struct JobClaim: Equatable, Sendable {
    /// It holds its thread for long.
    package var isLong: Bool
    /// It draws a document, which cannot be stopped at every place.
    package var isDrawing: Bool
    /// In memory; 0 if too few to count.
    package var byteCount: Int

    package init(isLong: Bool = false, isDrawing: Bool = false, byteCount: Int = 0) {
        self.isLong = isLong
        self.isDrawing = isDrawing
        self.byteCount = max(0, byteCount)
    }

    package static let none = JobClaim()
    package static let long = JobClaim(isLong: true)

    /// The larger in every respect.
    package func joined(with other: JobClaim) -> JobClaim {
        JobClaim(
            isLong: isLong || other.isLong, isDrawing: isDrawing || other.isDrawing,
            byteCount: max(byteCount, other.byteCount))
    }

    /// Whether it may hold its thread for longer than ordinary jobs can wait.
    var holdsThread: Bool { isLong || isDrawing }

    func isWithin(_ other: JobClaim) -> Bool { joined(with: other) == other }

    /// Whether it wants the same thing as `new` beyond `old`.
    func competes(with new: JobClaim, beyond old: JobClaim) -> Bool {
        (isLong && new.isLong && !old.isLong) || (isDrawing && new.isDrawing && !old.isDrawing)
            || (byteCount > 0 && new.byteCount > old.byteCount)
    }
}

/// For all running jobs together.
struct ClaimBounds: Equatable {
    var longCount: Int
    var drawingCount: Int
    /// Long jobs and drawings together.
    var heldThreadCount = Int.max
    /// A job that runs alone may claim more.
    var byteCount: Int
}

struct ClaimLedger {
    private let bounds: ClaimBounds
    private var longCount = 0
    private var drawingCount = 0
    private var heldThreadCount = 0
    private var byteCount = 0

    init(_ bounds: ClaimBounds) { self.bounds = bounds }

    func fits(_ claim: JobClaim) -> Bool {
        fitsButForThread(claim) && (!claim.holdsThread || heldThreadCount < bounds.heldThreadCount)
    }

    /// Whether it waits only until another job, of whatever kind, lets go of its thread.
    func lacksThreadAlone(_ claim: JobClaim) -> Bool { claim.holdsThread && fitsButForThread(claim) && !fits(claim) }

    private func fitsButForThread(_ claim: JobClaim) -> Bool {
        (!claim.isLong || longCount < bounds.longCount) && (!claim.isDrawing || drawingCount < bounds.drawingCount)
            && (claim.byteCount == 0 || byteCount == 0 || claim.byteCount <= bounds.byteCount - byteCount)
    }

    mutating func hold(_ claim: JobClaim) {
        longCount += claim.isLong ? 1 : 0
        drawingCount += claim.isDrawing ? 1 : 0
        heldThreadCount += claim.holdsThread ? 1 : 0
        byteCount += claim.byteCount
    }

    /// Keeps what a waiting job lacks from those behind it. Where it lacks more than a thread, those that want something
    /// else may have threads until then: with what it lacks, a thread will be free.
    mutating func reserve(_ claim: JobClaim) {
        let needsThread = fitsButForThread(claim)
        hold(claim)
        if claim.holdsThread, !needsThread { heldThreadCount -= 1 }
    }

    mutating func release(_ claim: JobClaim) {
        longCount -= claim.isLong ? 1 : 0
        drawingCount -= claim.isDrawing ? 1 : 0
        heldThreadCount -= claim.holdsThread ? 1 : 0
        byteCount -= claim.byteCount
    }
}
