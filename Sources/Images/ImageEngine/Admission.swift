package import ImagePlan

/// What is decided about a picture when its cost is known and before any of it is decoded, but for what planning had to look
/// at.
package enum Admission: Equatable, Sendable {
    case now
    /// Not now: the call ends with `ImageError.cancelled`.
    case later
    /// Never: the call ends with `ImageError.tooCostly`.
    case never

    package static let always: @Sendable (PredictedCost) -> Admission = { _ in .now }

    /// Throws unless it goes on.
    package func check(_ cost: PredictedCost) throws(ImageError) {
        switch self {
        case .now: break
        case .later: throw .cancelled
        case .never: throw .tooCostly(microseconds: cost.microseconds, byteCount: cost.byteCount)
        }
    }
}
