import Bytes
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Reactor
import Renditions
import ResponseCache
import Synchronization

/// Region copies of large JPEGs, in the disk tier: bounded with the images, and purged with the asset.
///
/// One is made in idle time, when a second region of an original has been made, and found by the original's state. Regions
/// have the same bytes with and without it, so nobody waits for it.
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
        /// Of which no copy can be made or kept.
        var refused: [CacheKey] = []
    }

    private struct Wanted: Sendable {
        let key: CacheKey
        let id: String
        let read: @Sendable () throws(RenditionError) -> AssetReader.Loaded
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

    /// Stops what is being made.
    func close() { isClosed.set() }

    /// What the image of `request` can be made from in place of the original; nil where there is no copy, or it does not serve.
    /// Reads only what it takes; waits for the disk.
    func part(
        of id: String, _ state: OriginalState, for request: ImageRequest, accepting acceptance: Acceptance,
        _ options: RenderOptions
    ) -> SharedBytes? {
        guard request.crop != nil, !state.validator.isEmpty else { return nil }
        let key = key(id, state)
        guard let found = cache.openEntry(for: key) ?? checked(key, CacheTag(assetID: id)) else { return nil }
        let (file, content) = (found.file, found.response.content)
        let copy = RegionCopy(byteCount: file?.byteCount ?? content.count) { range in
            if let file { return file.content(of: range) }
            return range.upperBound <= content.count ? content.slice(range) : nil
        }
        return copy?.part(for: request, accepting: acceptance, options: options)
    }

    /// The whole copy is read and checked when it is new, or has not been used for a while; others take the original meanwhile.
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
        guard loaded.sources.master == nil, !loaded.state.validator.isEmpty, RegionCopy.suits(report.plan, options),
            RegionCopy.isWorthwhile(report.header, options)
        else { return }
        let key = key(loaded.id, loaded.state)
        let isWanted = state.withLock { state in
            guard !state.refused.contains(key), !state.making.contains(key) else { return false }
            guard state.seen.contains(key) else {
                state.seen = state.seen.suffix(Self.rememberedCount - 1) + [key]
                return false
            }
            state.making.insert(key)
            return true
        }
        if isWanted { submit(Wanted(key: key, id: loaded.id, read: read)) }
    }

    private func submit(_ wanted: Wanted) {
        let isQueued = workshop.idle.submit(displaced: { [self] in end(wanted) }) { [self] in make(wanted) }
        if !isQueued { end(wanted) }
    }

    private func make(_ wanted: Wanted) {
        switch attempt(wanted) {
        case .again: submit(wanted)
        case .ended: end(wanted)
        case .refused: end(wanted, isRefused: true)
        }
    }

    private func end(_ wanted: Wanted, isRefused: Bool = false) {
        state.withLock { state in
            state.making.remove(wanted.key)
            guard isRefused else { return }
            state.refused = state.refused.suffix(Self.rememberedCount - 1) + [wanted.key]
            state.counts.refused += 1
        }
    }

    private func attempt(_ wanted: Wanted) -> Attempt {
        let tag = CacheTag(assetID: wanted.id)
        guard !isClosed.isSet, !cache.contains(wanted.key, tag: tag) else { return .ended }
        // A purge from here on keeps the copy out.
        let epoch = cache.ledger.epoch
        guard let loaded = try? wanted.read(), key(loaded.id, loaded.state) == wanted.key else { return .ended }
        let source = loaded.sources.picture
        // The codes of a progressive original take a quarter less.
        guard source.count + source.count / 3 <= cache.diskEntryByteLimit else { return .refused }
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
            guard let copy = try loaded.images.makeRegionCopy(source, in: context) else { return .refused }
            let entry = StoredResponse(
                status: 200, mediaType: Self.mediaType, entityTag: "", lastModifiedUnixSeconds: nil, head: [],
                content: copy, tag: tag, cost: clock.monotonic() - started, storedUnixSeconds: clock.unixSeconds())
            let isKept = cache.write(entry, for: wanted.key, since: epoch)
            if isKept { state.withLock { $0.counts.made += 1 } }
            return isKept || cache.ledger.isPurged(tag, wanted.key, since: epoch) ? .ended : .refused
        } catch {
            switch error {
            case .cancelled where mustYield.isSet: return .again
            // The next region asks again.
            case .cancelled where isClosed.isSet || admission.postponed != nil: return .ended
            case .outOfMemory, .overMemory, .noWorker: return .ended
            default: return .refused
            }
        }
    }

    private func key(_ id: String, _ state: OriginalState) -> CacheKey {
        CacheKey(RenditionFingerprint.service.digest(with: ["region copy", id, state.validator]))
    }
}
