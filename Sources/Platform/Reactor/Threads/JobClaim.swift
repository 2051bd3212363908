/// What a job takes beside a thread, as far as it is known.
package struct JobClaim: Equatable, Sendable {
    /// Whether it holds its thread for long.
    package var isLong: Bool
    /// Whether it draws a document, which cannot be stopped at every place.
    package var isDrawing: Bool
    /// Bytes of memory; 0 where they are too few to count.
    package var byteCount: Int

    package init(isLong: Bool = false, isDrawing: Bool = false, byteCount: Int = 0) {
        self.isLong = isLong
        self.isDrawing = isDrawing
        self.byteCount = max(0, byteCount)
    }

    package static let none = JobClaim()
    /// A thread for long, and nothing else.
    package static let long = JobClaim(isLong: true)

    /// The most of both in every respect.
    package func joined(with other: JobClaim) -> JobClaim {
        JobClaim(
            isLong: isLong || other.isLong, isDrawing: isDrawing || other.isDrawing,
            byteCount: max(byteCount, other.byteCount))
    }

    func isWithin(_ other: JobClaim) -> Bool { joined(with: other) == other }

    /// Whether this one and what `new` has beyond `old` are after the same thing.
    func competes(with new: JobClaim, beyond old: JobClaim) -> Bool {
        (isLong && new.isLong && !old.isLong) || (isDrawing && new.isDrawing && !old.isDrawing)
            || (byteCount > 0 && new.byteCount > old.byteCount)
    }
}

/// What the claims of all jobs that run may come to.
struct ClaimBounds: Equatable {
    /// Threads that are held for long.
    var longCount: Int
    var drawingCount: Int
    /// Bytes of memory together; a job that is alone may claim more.
    var byteCount: Int
}

/// The claims of the jobs that run.
struct ClaimLedger {
    private let bounds: ClaimBounds
    private var longCount = 0
    private var drawingCount = 0
    private var byteCount = 0

    init(_ bounds: ClaimBounds) {
        self.bounds = bounds
    }

    func fits(_ claim: JobClaim) -> Bool {
        (!claim.isLong || longCount < bounds.longCount) && (!claim.isDrawing || drawingCount < bounds.drawingCount)
            && (claim.byteCount == 0 || byteCount == 0 || claim.byteCount <= bounds.byteCount - byteCount)
    }

    mutating func hold(_ claim: JobClaim) {
        longCount += claim.isLong ? 1 : 0
        drawingCount += claim.isDrawing ? 1 : 0
        byteCount += claim.byteCount
    }

    mutating func release(_ claim: JobClaim) {
        longCount -= claim.isLong ? 1 : 0
        drawingCount -= claim.isDrawing ? 1 : 0
        byteCount -= claim.byteCount
    }
}
