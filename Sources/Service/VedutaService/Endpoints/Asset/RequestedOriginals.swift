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

    init(_ request: ImageRequest) {
        id = request.id
        overlayIDs = request.overlays.compactMap(\.id)
        fallbackID = request.fallbackID
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
        var known: [String: Value] = [:]
        var overlays: [Value] = []
        for id in overlayIDs {
            if known[id] == nil { known[id] = try Self.other(id, get) }
            guard let overlay = known[id] else { throw RenditionError(.overlayAbsent) }
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
    /// An original, and its overlays.
    static func asset(_ state: OriginalState, overlays: [OriginalState] = []) -> SourceValidator {
        // A source without a date leaves the whole without one.
        let dates = ([state] + overlays).map(\.lastModified)
        return SourceValidator(
            text(state, overlays), lastModified: dates.contains(nil) ? nil : dates.compactMap(\.self).max())
    }

    /// A fallback, and the status that tells so: 404, or that of the origin's failure.
    static func fallback(_ state: OriginalState, overlays: [OriginalState], status: Status) -> SourceValidator {
        let why = status == .notFound ? "instead " : "instead of \(status.code) "
        return SourceValidator(fallback: why + text(state, overlays), status: status.code)
    }

    private static func text(_ state: OriginalState, _ overlays: [OriginalState]) -> String {
        overlays.reduce(state.validator) { $0 + "+" + $1.validator }
    }
}
