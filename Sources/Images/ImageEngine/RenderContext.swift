package import ImagePlan

/// What work on an image goes by: the options of this server, who admits what it costs, and who may stop it.
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
        self.options = options
        self.admission = admission
        self.shouldStop = shouldStop
    }

    /// Throws `cancelled` or `tooCostly` unless work of this cost may begin.
    func admit(_ cost: PredictedCost) throws(ImageError) { try admission(cost).check(cost) }

    /// Throws `cancelled` when nobody wants the result any more.
    func checkStop() throws(ImageError) { if shouldStop() { throw .cancelled } }

    /// `cancelled` in place of `corrupt` after a stop: a decoder that is stopped midway leaves a broken image.
    func cause(of error: ImageError) -> ImageError {
        guard case .corrupt = error, shouldStop() else { return error }
        return .cancelled
    }
}

/// Whether work of a known cost may begin.
package enum Admission: Equatable, Sendable {
    case now
    /// Not now: the call ends with `ImageError.cancelled`.
    case later
    /// Never: the call ends with `ImageError.tooCostly`.
    case never

    package static let always: @Sendable (PredictedCost) -> Admission = { _ in .now }

    /// Throws unless work may begin now.
    package func check(_ cost: PredictedCost) throws(ImageError) {
        switch self {
        case .now: break
        case .later: throw .cancelled
        case .never: throw .tooCostly(microseconds: cost.microseconds, byteCount: cost.byteCount)
        }
    }
}
