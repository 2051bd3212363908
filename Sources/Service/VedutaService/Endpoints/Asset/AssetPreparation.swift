import HTTPMessage
import HTTPServer
import OriginCache
import Originals
import Renditions

/// Gets originals of other servers, and has files of the library read that have changed, before a rendition is made of them.
struct AssetPreparation: SourcePreparation {
    private let ids: [String]
    private let originals: Originals

    /// Whether the last of them is wanted only where the first cannot be had.
    private let hasFallback: Bool

    /// Of the originals with `ids`, and of one that is shown where the first cannot be had; nil where there can be nothing to
    /// wait for.
    init?(_ ids: [String?], instead fallbackID: String? = nil, _ originals: Originals) {
        let all = (ids + [fallbackID]).compactMap(\.self)
        guard all.contains(where: { originals.mayBeRemote($0) || originals.mayBeRead($0) }) else { return nil }
        (self.ids, self.originals) = (all, originals)
        hasFallback = fallbackID != nil
    }

    func refresh() { originals.refresh(ids[0]) }

    var isRead: Bool { ids.allSatisfy { originals.mayBeRemote($0) || originals.isFileKnown($0) } }

    var count: Int { ids.count }

    /// One that is wanted in place of the first is left alone while that one is there.
    func begin(
        _ index: Int, for request: Request, done: @escaping @Sendable () -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)? {
        do throws(OriginalError) {
            return try prepare(index, request, done: done)
        } catch {
            throw RenditionError(.original(error))
        }
    }

    private func prepare(
        _ index: Int, _ request: Request, done: @escaping @Sendable () -> Void
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        let isFallback = hasFallback && index == ids.count - 1
        if isFallback, (try? originals.state(of: ids[0])).flatMap(\.self) != nil { return nil }
        let fields = request.head.fields
        return try originals.prepare(
            ids[index], for: RemoteDirectives(fields), via: Via.hops(fields), done: done)
    }
}
