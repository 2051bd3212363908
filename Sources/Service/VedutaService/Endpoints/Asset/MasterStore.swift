import Bytes
import Eviction
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Reactor
import Renditions
import ResponseCache
import Synchronization

/// Reduced masters of large originals, in the disk tier: bounded with the images, and purged with the asset.
///
/// A master is made when the first image wants it, once at a time for each original, and found by the original's state,
/// so that a changed original gets another one.
final class MasterStore: Sendable {
    private let cache: TieredCache
    private let options: RenderOptions
    private let clock: Clock
    /// Whether other servers get them, by S3.
    private let sharesMasters: Bool
    /// Originals whose masters are being made.
    private let making = Monitor<Set<CacheKey>>([])
    /// Where subjects are in masters, as long as there is room.
    private let analyses = Mutex(BoundedMap<CacheKey, AnalysisResults>(capacity: 1 << 20))

    private static let mediaType = "application/x-veduta-master"
    /// Results that are kept of one master: a subject for each shape of a crop.
    private static let analysisLimit = 8
    /// How often a worker that waits for another one, which makes the same master, looks whether it is still wanted.
    private static let stopCheckInterval = Duration.milliseconds(250)

    /// nil without a disk tier: no master would be there for the next image.
    init?(_ cache: TieredCache, options: RenderOptions, clock: Clock, sharesMasters: Bool = false) {
        guard cache.hasDisk else { return nil }
        self.cache = cache
        self.options = options
        self.clock = clock
        self.sharesMasters = sharesMasters
    }

    /// An image that a part of a master is enough for.
    struct Wanted: Sendable {
        var request: ImageRequest
        let acceptance: Acceptance
    }

    /// All of it, or what `wanted` needs of it. Waits for the disk.
    func find(_ id: String, _ state: OriginalState, for wanted: Wanted? = nil) -> SharedBytes? {
        let key = key(id, state)
        let kept =
            cache.openEntry(for: key)
            ?? cache.find(
                key, tag: CacheTag(assetID: id), entityTag: "", mediaTypes: [Self.mediaType],
                since: cache.ledger.epoch, keepsInMemory: false, keepsOpen: true, isShared: sharesMasters)
        if let file = kept?.file, let wanted {
            let reduced = ImageEngine.reducedMaster(
                byteCount: file.byteCount, for: wanted.request, accepting: wanted.acceptance, options: options,
                read: { file.content(of: $0) })
            if let reduced { return reduced }
        }
        return kept?.wholeContent()
    }

    /// Taken before an original is read: masters of what was purged since are not kept.
    var epoch: PurgeEpoch { cache.ledger.epoch }

    /// Makes and keeps the master, or finds it where another worker made it meanwhile; nil where it is not worth it.
    func make(
        _ original: AssetReader.Loaded, since epoch: PurgeEpoch, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes? {
        let (id, state) = (original.id, original.state)
        let key = key(id, state)
        // The one that makes it wakes the others, the first of whom finds it.
        while making.wait(forAtMost: Self.stopCheckInterval, until: { $0.insert(key).inserted ? true : nil }) == nil {
            if shouldStop() { throw .cancelled }
        }
        defer {
            making.withLock { _ = $0.remove(key) }
            making.broadcast()
        }
        if let found = find(id, state) { return found }
        let started = clock.monotonic()
        guard
            let master = try original.images.makeMaster(
                original.sources.picture, in: RenderContext(options: options, shouldStop: shouldStop))
        else { return nil }
        let entry = StoredResponse(
            status: 200, mediaType: Self.mediaType, entityTag: "", lastModifiedUnixSeconds: nil, head: [],
            content: master, tag: CacheTag(assetID: id), cost: clock.monotonic() - started,
            storedUnixSeconds: clock.unixSeconds())
        cache.write(entry, for: key, since: epoch)
        if sharesMasters { cache.share(entry, for: key, since: epoch, before: nil) }
        return master
    }

    /// What was found in the pixels of its master before; empty where it has none.
    func analysis(of original: AssetReader.Loaded) -> AnalysisResults {
        guard original.hasMaster else { return [:] }
        let key = key(original.id, original.state)
        return analyses.withLock { $0.find(key) } ?? [:]
    }

    /// Keeps which subjects were found, so that the next image of another size need not look again. Not where an overlay, which may
    /// be another's, was opened by the same process.
    func keep(_ found: AnalysisResults, of original: AssetReader.Loaded) {
        let known = original.sources.analysis
        let found = found.filter { if case .focus = $0.key { true } else { false } }
        guard original.hasMaster, original.sources.overlays.isEmpty, found.count <= Self.analysisLimit,
            found.contains(where: { known[$0.key] == nil })
        else { return }
        let key = key(original.id, original.state)
        analyses.withLock { analyses in
            // Another image may have found others meanwhile.
            let all = (analyses.find(key) ?? [:]).merging(found) { $1 }
            let kept = all.count > Self.analysisLimit ? found : all
            // What it takes in memory, about.
            _ = analyses.insert(kept, for: key, weight: 256 + kept.count * 128)
        }
    }

    /// Everything that decides the bytes of a master.
    private func key(_ id: String, _ state: OriginalState) -> CacheKey {
        CacheKey(RenditionFingerprint.service.digest(with: ["master", options.causes, id, state.validator]))
    }
}

extension AssetReader.Loaded {
    fileprivate var hasMaster: Bool { sources.master != nil && !isPart }
}
