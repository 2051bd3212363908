import Bytes
import HTTPMessage
import ImagePlan
import Originals
import Renditions

/// The ids of what one image is made of: the original, its overlays, and the fallback that is shown where it is missing.
struct RequestedOriginals: Sendable {
    let id: String
    /// In the order of drawing.
    let overlayIDs: [String]
    let fallbackID: String?
    /// Whether what is made depends on the focal point that is stored for the image.
    let usesFocalPoint: Bool

    init(_ request: ImageRequest, usesFocalPoint: Bool = false) {
        id = request.id
        overlayIDs = request.overlays.compactMap(\.id)
        fallbackID = request.fallbackID
        self.usesFocalPoint = usesFocalPoint || request.usesFocalPoint
    }

    /// What is made may change though an id names its content.
    var kind: RenditionKind { usesFocalPoint ? .asset : .asset(id) }

    func focalPoint(of id: String, _ originals: Originals) -> FocalPoint? {
        usesFocalPoint ? originals.focalPoint(of: id) : nil
    }

    /// What `get` gives of the original; where the fallback is shown instead, nil and why.
    func original<Value>(
        _ get: (_ id: String) throws(OriginalError) -> Value?
    ) throws(RenditionError) -> (Value?, OriginalError) {
        do throws(OriginalError) {
            return (try get(id), .absent)
        } catch {
            guard fallbackID != nil, error.isUnavailable else { throw RenditionError(.original(error)) }
            return (nil, error)
        }
    }

    /// What `get` gives of each overlay; of one that is drawn several times once.
    func overlays<Value>(_ get: (_ id: String) throws(OriginalError) -> Value?) throws(RenditionError) -> [Value] {
        var known: [ExactText: Value] = [:]
        var overlays: [Value] = []
        for id in overlayIDs {
            let key = ExactText(id)
            if known[key] == nil { known[key] = try Self.other(id, get) }
            guard let overlay = known[key] else { throw RenditionError(.overlayAbsent) }
            overlays.append(overlay)
        }
        return overlays
    }

    /// What `get` gives of the fallback, which is shown because of `failure`.
    func fallback<Value>(
        insteadOf failure: OriginalError, _ get: (_ id: String) throws(OriginalError) -> Value?
    ) throws(RenditionError) -> (id: String, Value) {
        guard let fallbackID, let fallback = try Self.other(fallbackID, get) else {
            throw RenditionError(.original(failure))
        }
        return (fallbackID, fallback)
    }

    private static func other<Value>(
        _ id: String, _ get: (_ id: String) throws(OriginalError) -> Value?
    ) throws(RenditionError) -> Value? {
        do throws(OriginalError) { return try get(id) } catch { throw RenditionError(.original(error)) }
    }
}

extension SourceValidator {
    /// An original, its focal point where that matters, and its overlays.
    static func asset(
        _ state: OriginalState, around focalPoint: FocalPoint? = nil, overlays: [OriginalState] = []
    ) -> SourceValidator {
        // A source without a date leaves the whole without one.
        let dates = ([state] + overlays).map(\.lastModified)
        // Nobody knows when the point was set, so what is made around it has no date.
        return SourceValidator(
            text(state, around: focalPoint, overlays),
            lastModified: dates.contains(nil) || focalPoint != nil ? nil : dates.compactMap(\.self).max())
    }

    /// A fallback, and the status that tells so: 404, or that of the origin's failure.
    static func fallback(
        _ state: OriginalState, around focalPoint: FocalPoint?, overlays: [OriginalState], status: Status
    ) -> SourceValidator {
        let why = status == .notFound ? "instead " : "instead of \(status.code) "
        return SourceValidator(fallback: why + text(state, around: focalPoint, overlays), status: status.code)
    }

    private static func text(
        _ state: OriginalState, around focalPoint: FocalPoint?, _ overlays: [OriginalState]
    ) -> String {
        let image = state.validator + (focalPoint.map { " around " + $0.text } ?? "")
        return overlays.reduce(image) { $0 + "+" + $1.validator }
    }
}
