package import ImagePlan

package struct RenderContext {
    package var options: RenderOptions
    /// Called with the predicted cost before work begins.
    package var admission: (PredictedCost) -> Admission
    /// Called every few rows, on this thread and on threads of libvips, so it must be quick.
    package var shouldStop: @Sendable () -> Bool

    package init(
        options: RenderOptions = RenderOptions(),
        admission: @escaping (PredictedCost) -> Admission = Admission.always,
        shouldStop: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.options, self.admission, self.shouldStop) = (options, admission, shouldStop)
    }

    func admit(_ cost: PredictedCost) throws(ImageError) { try admission(cost).check(cost) }
    func checkStop() throws(ImageError) { if shouldStop() { throw .cancelled } }

    /// `cancelled` in place of `corrupt` after a stop: a stopped decoder leaves a truncated image.
    func cause(of error: ImageError) -> ImageError {
        guard case .corrupt = error, shouldStop() else { return error }
        return .cancelled
    }
}

package enum Admission: Equatable, Sendable, Codable {
    case now
    /// Ends the call with `ImageError.cancelled`.
    case later
    /// Ends the call with `ImageError.tooCostly`.
    case never

    package static let always: @Sendable (PredictedCost) -> Admission = { _ in .now }

    package func check(_ cost: PredictedCost) throws(ImageError) {
        switch self {
        case .now: break
        case .later: throw .cancelled
        case .never: throw .tooCostly(microseconds: cost.microseconds, byteCount: cost.byteCount)
        }
    }
}
