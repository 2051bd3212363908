import Bytes
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Reactor
import Renditions
import ResponseCache
import Synchronization

/// Region copies of large JPEGs, and bands of their samples at 1/2, 1/4 and 1/8, in the disk tier: bounded with the images, and
/// purged with the asset.
///
/// They are made in idle time, when a second region of an original has been made, and found by the original's state. Regions
/// have the same bytes with and without them, so nobody waits for them.
final class RegionStore: Sendable {
    /// What copies are made with.
    struct Workshop: Sendable {
        let idle: IdleWorker
        let workers: WorkerPool
        let limits: RenditionLimits
    }

    struct Counts: Sendable, Equatable {
        /// Copies that were made, and originals of which none can be made or kept.
        var made = 0, refused = 0
        /// Images that were made from a copy.
        var uses = 0
    }

    private struct State: Sendable {
        var counts = Counts()
        /// Of which a region was made lately.
        var seen: [CacheKey] = []
        var making: Set<CacheKey> = []
        var checking: Set<CacheKey> = []
        /// Of which no copy, or none of its samples, can be made or kept.
        var refused: [CacheKey] = []
    }

    private struct Wanted: Sendable {
        let id: String
        let state: OriginalState
        /// What works on the copy.
        let images: ImageProcessor
        let read: @Sendable () throws(RenditionError) -> AssetReader.Loaded
        /// Not where samples alone are missing.
        var needsCopy: Bool

        var key: CacheKey { RegionStore.key(id, state) }
        /// Of what is refused: the copy, or its samples.
        var refusalKey: CacheKey { needsCopy ? key : RegionStore.key(id, state, band: "") }
        var tag: CacheTag { CacheTag(assetID: id) }
    }

    private enum Attempt {
        case ended, refused
        /// It gave way to requests, and begins anew when none wait.
        case again
    }

    private let cache: TieredCache
    private let options: RenderOptions
    private let clock: Clock
    private let workshop: Workshop
    private let state = Mutex(State())
    private let isClosed = SharedFlag()

    private static let mediaType = "application/x-veduta-region-copy"
    private static let rememberedCount = 256

    /// nil without a disk tier: no copy would be there for the next region.
    init?(_ cache: TieredCache, options: RenderOptions, clock: Clock, workshop: Workshop) {
        guard cache.hasDisk else { return nil }
        (self.cache, self.options, self.clock, self.workshop) = (cache, options, clock, workshop)
    }

    var counts: Counts { state.withLock { $0.counts } }

    func close() { isClosed.set() }

    /// What the image of `request` can be made from in place of the original; nil where there is no copy, or it does not serve.
    /// Reads only what it takes; waits for the disk.
    func part(
        of id: String, _ state: OriginalState, for request: ImageRequest, accepting acceptance: Acceptance,
        _ options: RenderOptions
    ) -> SharedBytes? {
        guard request.crop != nil, !state.validator.isEmpty else { return nil }
        let tag = CacheTag(assetID: id)
        return copy(id, state)?.part(for: request, accepting: acceptance, options: options) { band in
            kept(Self.key(id, state, band: band.name), tag)
        }
    }

    private func copy(_ id: String, _ state: OriginalState) -> RegionCopy? {
        kept(Self.key(id, state), CacheTag(assetID: id)).flatMap { RegionCopy(byteCount: $0.byteCount, read: $0.read) }
    }

    private func kept(_ key: CacheKey, _ tag: CacheTag) -> KeptBytes? {
        let small = cache.isInMemory(key) ? cache.response(for: key) : nil
        guard let found = small.map({ KeptAnswer($0) }) ?? cache.openEntry(for: key) ?? checked(key, tag) else {
            return nil
        }
        if let file = found.file { return KeptBytes(byteCount: file.byteCount) { file.content(of: $0) } }
        let content = found.response.content
        return KeptBytes(byteCount: content.count) { $0.upperBound <= content.count ? content.slice($0) : nil }
    }

    /// All of it is read and checked when it is new, or has not been used for a while; others do without it meanwhile.
    private func checked(_ key: CacheKey, _ tag: CacheTag) -> KeptAnswer? {
        guard cache.contains(key, tag: tag), state.withLock({ $0.checking.insert(key).inserted }) else { return nil }
        defer { state.withLock { _ = $0.checking.remove(key) } }
        return cache.find(
            key, tag: tag, entityTag: "", mediaTypes: [Self.mediaType], since: cache.ledger.epoch, keepsInMemory: true)
    }

    /// Hears of an image that was made. `read` reads its original.
    func note(_ made: AssetRenderer.Made, read: @escaping @Sendable () throws(RenditionError) -> AssetReader.Loaded) {
        let (loaded, report) = (made.loaded, made.picture.report)
        if report.part != nil { state.withLock { $0.counts.uses += 1 } }
        let lacksSamples = loaded.isPart && report.loadShrink > 1 && !report.usesSamples
        guard loaded.sources.master == nil || lacksSamples, !loaded.state.validator.isEmpty,
            RegionCopy.suits(report.plan, options), RegionCopy.isWorthwhile(report.header, options)
        else { return }
        let wanted = Wanted(
            id: loaded.id, state: loaded.state, images: loaded.images, read: read, needsCopy: !lacksSamples)
        let (key, refusalKey) = (wanted.key, wanted.refusalKey)
        let isWanted = state.withLock { state in
            guard !state.refused.contains(refusalKey), !state.making.contains(key) else { return false }
            guard lacksSamples || state.seen.contains(key) else {
                state.seen = state.seen.suffix(Self.rememberedCount - 1) + [key]
                return false
            }
            state.making.insert(key)
            return true
        }
        if isWanted { submit(wanted) }
    }

    private func submit(_ wanted: Wanted) {
        let isQueued = workshop.idle.submit(displaced: { [self] in end(wanted) }) { [self] in make(wanted) }
        if !isQueued { end(wanted) }
    }

    private func make(_ wanted: Wanted) {
        var wanted = wanted
        // Samples are taken from the copy.
        var attempt = wanted.needsCopy ? makeCopy(wanted) : nil
        if attempt == nil {
            wanted.needsCopy = false
            attempt = makeSamples(wanted)
        }
        switch attempt {
        case .again: submit(wanted)
        case .ended, nil: end(wanted)
        case .refused: end(wanted, isRefused: true)
        }
    }

    private func end(_ wanted: Wanted, isRefused: Bool = false) {
        state.withLock { state in
            state.making.remove(wanted.key)
            guard isRefused else { return }
            state.refused = state.refused.suffix(Self.rememberedCount - 1) + [wanted.refusalKey]
            if wanted.needsCopy { state.counts.refused += 1 }
        }
    }

    /// Nil: it is made.
    private func makeCopy(_ wanted: Wanted) -> Attempt? {
        guard !isClosed.isSet, !cache.contains(wanted.key, tag: wanted.tag) else { return .ended }
        // A purge from here on keeps the copy out.
        let epoch = cache.ledger.epoch
        guard let loaded = try? wanted.read(), Self.key(loaded.id, loaded.state) == wanted.key else { return .ended }
        let source = loaded.sources.picture
        // The codes of a progressive original take a quarter less.
        guard source.count + source.count / 3 <= cache.diskEntryByteLimit else { return .refused }
        let attempt = keep(wanted.key, wanted.tag, since: epoch) { context throws(ImageError) in
            try loaded.images.makeRegionCopy(source, in: context)
        }
        if attempt == nil { state.withLock { $0.counts.made += 1 } }
        return attempt
    }

    /// Nil: all bands are there. Together they are bounded as the copy is.
    private func makeSamples(_ wanted: Wanted) -> Attempt? {
        let epoch = cache.ledger.epoch
        guard !isClosed.isSet, let copy = copy(wanted.id, wanted.state) else { return .ended }
        let bands = copy.bands
        let byteCount = bands.reduce(0) { $0 + $1.byteCount }
        guard !bands.isEmpty, byteCount <= cache.diskEntryByteLimit else { return .refused }
        for band in bands {
            let key = Self.key(wanted.id, wanted.state, band: band.name)
            if cache.contains(key, tag: wanted.tag) { continue }
            guard let source = copy.source(of: band) else { return .ended }
            let attempt = keep(key, wanted.tag, since: epoch) { context throws(ImageError) -> SharedBytes? in
                let made = try wanted.images.makeRegionPlanes(source, sizes: band.sizes, in: context)
                return made.flatMap { band.fits($0) ? $0 : nil }
            }
            if let attempt { return attempt }
        }
        return nil
    }

    /// Keeps what `make` makes while no request waits; nil: it is there.
    private func keep(
        _ key: CacheKey, _ tag: CacheTag, since epoch: PurgeEpoch,
        _ make: (RenderContext) throws(ImageError) -> SharedBytes?
    ) -> Attempt? {
        let (workshop, started, mustYield) = (workshop, clock.monotonic(), SharedFlag())
        let deadline = started + .seconds(workshop.limits.renderSeconds)
        let admission = RenderAdmission(workshop.workers, .none, workshop.limits.work)
        defer { admission.end() }
        let job = RenderJob(
            shouldStop: { [self] in
                guard workshop.idle.shouldYield else { return isClosed.isSet || clock.monotonic() >= deadline }
                mustYield.set()
                return true
            },
            // The thread is none of those that long jobs hold.
            admit: { admission.admit(RenderCost($0.work, steps: $0.steps)) })
        do throws(ImageError) {
            let context = RenderContext(options: options, admission: job.admission, shouldStop: job.shouldStop)
            guard let content = try make(context) else { return .refused }
            let entry = StoredResponse(
                status: 200, mediaType: Self.mediaType, entityTag: "", lastModifiedUnixSeconds: nil, head: [],
                content: content, tag: tag, cost: clock.monotonic() - started, storedUnixSeconds: clock.unixSeconds())
            if cache.write(entry, for: key, since: epoch) { return nil }
            return cache.ledger.isPurged(tag, key, since: epoch) ? .ended : .refused
        } catch {
            switch error {
            case .cancelled where mustYield.isSet: return .again
            // The next region asks again. The time of a busy machine says nothing of the original, whose price was admitted.
            case .cancelled, .outOfMemory, .overMemory, .noWorker: return .ended
            default: return .refused
            }
        }
    }

    /// Of the copy, or of a band of its samples.
    private static func key(_ id: String, _ state: OriginalState, band: String? = nil) -> CacheKey {
        let causes = [band == nil ? "region copy" : "region samples", id, state.validator] + (band.map { [$0] } ?? [])
        return CacheKey(RenditionFingerprint.service.digest(with: causes))
    }
}
