import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import OriginCache
import Originals
import Renditions

/// The originals of one request: the image, its overlay, and its fallback.
struct AssetSources: Sendable {
    private let originals: Originals
    private let id: String
    private let overlayID: String?
    private let fallbackID: String?
    private let byteLimit: Int
    private let qualities: QualityMemo?
    private let images: ImageProcessor

    /// At most `byteLimit` bytes each; `qualities` has what was found out about them.
    init(
        _ request: ImageRequest, in originals: Originals, byteLimit: Int, qualities: QualityMemo? = nil,
        images: ImageProcessor
    ) {
        self.images = images
        self.originals = originals
        id = request.id
        overlayID = request.overlay?.id
        fallbackID = request.fallbackID
        self.byteLimit = byteLimit
        self.qualities = qualities
    }

    /// What was read, and its state.
    struct Loaded: Sendable {
        let id: String
        var sources: RenderSources
        let state: OriginalState
        let validator: SourceValidator
        /// What works on them.
        let images: ImageProcessor
    }

    // MARK: Looking

    /// See ``RenditionSource/preparation``.
    var preparation: AssetPreparation? { AssetPreparation([id, overlayID], instead: fallbackID, originals) }

    /// Opens nothing.
    func currentState() throws(RenditionError) -> SourceValidator {
        let (image, failure) = try having { () throws(OriginalError) in try originals.state(of: id) }
        if let image { return .asset(image, overlay: try overlayState()) }
        guard let fallbackID, let fallback = try state(of: fallbackID) else { throw RenditionError(.original(failure)) }
        return .fallback(fallback, overlay: try overlayState(), status: Problem(failure).status)
    }

    /// What `get` gives; where the fallback is shown instead, nil and why.
    private func having<Value>(
        _ get: () throws(OriginalError) -> Value?
    ) throws(RenditionError) -> (Value?, OriginalError) {
        do throws(OriginalError) {
            return (try get(), .absent)
        } catch {
            guard fallbackID != nil, error.isUnavailable else { throw RenditionError(.original(error)) }
            return (nil, error)
        }
    }

    private func state(of id: String) throws(RenditionError) -> OriginalState? {
        do throws(OriginalError) { return try originals.state(of: id) } catch { throw RenditionError(.original(error)) }
    }

    private func overlayState() throws(RenditionError) -> OriginalState? {
        guard let overlayID else { return nil }
        guard let state = try state(of: overlayID) else { throw RenditionError(.overlayAbsent) }
        return state
    }

    // MARK: Reading

    /// Reads everything, and the master in place of the image where `masters` have it; workers only.
    func read(_ masters: MasterStore? = nil) throws(RenditionError) -> Loaded {
        let overlay = try readOverlay()
        let (image, failure) = try having { () throws(OriginalError) in try read(id, masters) }
        if let image {
            return loaded(id, image, overlay: overlay, validator: .asset(image.state, overlay: overlay?.state))
        }
        guard let fallbackID, let image = try readOriginal(fallbackID, masters) else {
            throw RenditionError(.original(failure))
        }
        return loaded(
            fallbackID, image, overlay: overlay,
            validator: .fallback(image.state, overlay: overlay?.state, status: Problem(failure).status))
    }

    private func loaded(_ id: String, _ picture: ReadAsset, overlay: ReadAsset?, validator: SourceValidator) -> Loaded {
        var sources = RenderSources(picture.content, master: picture.master, overlay: overlay?.content)
        // No id has a line end, so two sources never share a name.
        sources.qualityMemo = qualities?.bound(to: id + "\n" + picture.state.validator)
        let isTrusted = picture.isOfLibrary && overlay?.isOfLibrary != false
        return Loaded(
            id: id, sources: sources, state: picture.state, validator: validator,
            images: images.chosen(for: sources, isTrusted: isTrusted))
    }

    private struct ReadAsset {
        /// Empty where there is a master.
        let content: SharedBytes
        let master: SharedBytes?
        let state: OriginalState
        let isOfLibrary: Bool
    }

    private func readOverlay() throws(RenditionError) -> ReadAsset? {
        guard let overlayID else { return nil }
        guard let overlay = try readOriginal(overlayID, nil) else { throw RenditionError(.overlayAbsent) }
        return overlay
    }

    private func readOriginal(_ id: String, _ masters: MasterStore?) throws(RenditionError) -> ReadAsset? {
        do throws(OriginalError) { return try read(id, masters) } catch { throw RenditionError(.original(error)) }
    }

    private func read(_ id: String, _ masters: MasterStore?) throws(OriginalError) -> ReadAsset? {
        guard let original = try originals.open(id) else { return nil }
        if let master = masters?.find(id, original.state) {
            return ReadAsset(
                content: SharedBytes([]), master: master, state: original.state, isOfLibrary: original.isOfLibrary)
        }
        do throws(LibraryError) {
            return ReadAsset(
                content: try original.read(limit: byteLimit), master: nil, state: original.state,
                isOfLibrary: original.isOfLibrary)
        } catch {
            throw .library(error, id: id)
        }
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

/// Fetches originals of other servers, and has changed files of the library read, before a rendition is made of them.
struct AssetPreparation: SourcePreparation {
    private let ids: [String]
    private let originals: Originals

    /// The last one is wanted only where the first is missing.
    private let hasFallback: Bool

    /// nil where there can be nothing to wait for. `fallbackID` is shown where the first of `ids` is missing.
    init?(_ ids: [String?], instead fallbackID: String? = nil, _ originals: Originals) {
        let all = (ids + [fallbackID]).compactMap(\.self)
        guard all.contains(where: { originals.mayBeRemote($0) || originals.mayBeRead($0) }) else { return nil }
        (self.ids, self.originals) = (all, originals)
        hasFallback = fallbackID != nil
    }

    func refresh() { originals.refresh(ids[0]) }
    var isRead: Bool { ids.allSatisfy { originals.mayBeRemote($0) || originals.isFileKnown($0) } }
    var count: Int { ids.count }

    /// A fallback is left alone while the first original is there.
    func begin(
        _ index: Int, for request: Request, done: @escaping @Sendable () -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)? {
        do { return try prepare(index, request, done: done) } catch { throw RenditionError(.original(error)) }
    }

    private func prepare(
        _ index: Int, _ request: Request, done: @escaping @Sendable () -> Void
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        let isFallback = hasFallback && index == ids.count - 1
        if isFallback, (try? originals.state(of: ids[0])).flatMap(\.self) != nil { return nil }
        let fields = request.head.fields
        return try originals.prepare(ids[index], for: RemoteDirectives(fields), via: Via.hops(fields), done: done)
    }
}
