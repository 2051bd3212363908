import Bytes
import Digest
import ImageEngine
import Originals
import Reactor
import Renditions
import ResponseCache

/// Reduced masters of large originals, in the disk tier beside the pictures: bounded with them, and purged with the asset.
///
/// A master is made when the first picture wants it, once at a time for each original, and found by the original's state, so
/// that a changed original has another one.
final class MasterStore: Sendable {
    private let cache: TieredCache
    private let options: RenderOptions
    private let clock: Clock
    /// Originals of which masters are being made.
    private let making = Monitor<Set<CacheKey>>([])

    private static let mediaType = "application/x-veduta-master"
    /// How long a worker waits at a time for another one that makes the same master.
    private static let pollInterval = Duration.milliseconds(20)

    /// Masters in the disk tier of `cache`; nil where it has none, for then none would be there for the next picture.
    init?(_ cache: TieredCache, options: RenderOptions, clock: Clock) {
        guard cache.hasDisk else { return nil }
        self.cache = cache
        self.options = options
        self.clock = clock
    }

    /// The master that is kept of this original in this state; it waits for the disk.
    func find(_ id: String, _ state: OriginalState) -> SharedBytes? {
        let kept = cache.find(
            key(id, state), tag: CacheTag(assetID: id), entityTag: "", mediaTypes: [Self.mediaType],
            since: cache.ledger.epoch, keepsInMemory: false)
        return kept?.wholeContent()
    }

    /// Taken before an original is read: masters of what was purged since are not kept.
    var epoch: PurgeEpoch { cache.ledger.epoch }

    /// The master of `original`, made and kept, or found where another worker made it meanwhile; nil where it is not worth it.
    func make(
        _ id: String, _ state: OriginalState, _ original: SharedBytes, since epoch: PurgeEpoch,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes? {
        let key = key(id, state)
        while !making.withLock({ $0.insert(key).inserted }) {
            if shouldStop() { throw .cancelled }
            Processors.pause(Self.pollInterval)
            if let found = find(id, state) { return found }
        }
        defer { making.withLock { _ = $0.remove(key) } }
        if let found = find(id, state) { return found }
        let started = clock.monotonic()
        guard
            let master = try ImageEngine.makeMaster(
                original, in: RenderContext(options: options, shouldStop: shouldStop))
        else {
            return nil
        }
        let entry = StoredResponse(
            status: 200, mediaType: Self.mediaType, entityTag: "", lastModifiedUnixSeconds: nil, head: [],
            content: master, tag: CacheTag(assetID: id), cost: clock.monotonic() - started,
            storedUnixSeconds: clock.unixSeconds())
        cache.write(entry, for: key, since: epoch)
        return master
    }

    /// All that decides the bytes of a master.
    private func key(_ id: String, _ state: OriginalState) -> CacheKey {
        CacheKey(RenditionFingerprint.service.digest(with: ["master", options.causes, id, state.validator]))
    }
}
