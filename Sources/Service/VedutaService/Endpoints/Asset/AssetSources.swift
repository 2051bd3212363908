import HTTPMessage
import HTTPServer
import OriginCache
import Originals
import Reactor
import Renditions

/// Looks at the originals of one request, and opens none.
struct AssetSources: RenditionSource {
    let requested: RequestedOriginals
    let originals: Originals

    var preparation: (any SourcePreparation)? {
        AssetPreparation([requested.id] + requested.overlayIDs, instead: requested.fallbackID, originals)
    }

    func currentState() throws(RenditionError) -> SourceValidator {
        let (image, failure) = try requested.original(originals.state(of:))
        if let image {
            return .asset(
                image, around: requested.focalPoint(of: requested.id, originals),
                overlays: try requested.overlays(originals.state(of:)))
        }
        let (id, fallback) = try requested.fallback(insteadOf: failure, originals.state(of:))
        return .fallback(
            fallback, around: requested.focalPoint(of: id, originals),
            overlays: try requested.overlays(originals.state(of:)), status: Problem(failure).status)
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
    func isSourceRead(at index: Int) -> Bool { originals.mayBeRemote(ids[index]) || originals.isFileKnown(ids[index]) }
    var count: Int { ids.count }

    /// A fallback is left alone while the first original is there.
    func begin(
        _ index: Int, for request: Request, of client: ClientNetwork?,
        done: @escaping @Sendable (RenditionError?) -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)? {
        let ended: @Sendable (OriginalError?) -> Void = { refusal in
            done(refusal.map { RenditionError(MediaFailure.original($0)) })
        }
        do throws(OriginalError) {
            return try prepare(index, request, client, done: ended)
        } catch {
            throw RenditionError(.original(error))
        }
    }

    private func prepare(
        _ index: Int, _ request: Request, _ client: ClientNetwork?, done: @escaping @Sendable (OriginalError?) -> Void
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        let isFallback = hasFallback && index == ids.count - 1
        if isFallback, (try? originals.state(of: ids[0])).flatMap(\.self) != nil { return nil }
        let fields = request.head.fields
        return try originals.prepare(
            ids[index], for: RemoteDirectives(fields), via: Via.hops(fields), of: client, done: done)
    }
}
