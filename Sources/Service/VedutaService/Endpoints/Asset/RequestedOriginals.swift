import HTTPMessage
import ImagePlan
import Originals
import Renditions

/// The ids of what one image is made of: the original, its overlay, and the fallback that is shown where it is missing.
struct RequestedOriginals: Sendable {
    let id: String
    let overlayID: String?
    let fallbackID: String?

    init(_ request: ImageRequest) {
        id = request.id
        overlayID = request.overlay?.id
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

    /// What `get` gives of the overlay; nil where there is to be none.
    func overlay<Value>(_ get: (_ id: String) throws(OriginalError) -> Value?) throws(RenditionError) -> Value? {
        guard let overlayID else { return nil }
        guard let overlay = try Self.other(overlayID, get) else { throw RenditionError(.overlayAbsent) }
        return overlay
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
    /// An original, and its overlay.
    static func asset(_ state: OriginalState, overlay: OriginalState? = nil) -> SourceValidator {
        // A source without a date leaves the whole without one.
        let lastModified = state.lastModified.flatMap { date in
            guard let overlay else { return date }
            return overlay.lastModified.map { max(date, $0) }
        }
        return SourceValidator(text(state, overlay), lastModified: lastModified)
    }

    /// A fallback, and the status that tells so: 404, or that of the origin's failure.
    static func fallback(_ state: OriginalState, overlay: OriginalState?, status: Status) -> SourceValidator {
        let why = status == .notFound ? "instead " : "instead of \(status.code) "
        return SourceValidator(fallback: why + text(state, overlay), status: status.code)
    }

    private static func text(_ state: OriginalState, _ overlay: OriginalState?) -> String {
        state.validator + (overlay.map { "+" + $0.validator } ?? "")
    }
}
