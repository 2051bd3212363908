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

    private struct State: Sendable {
        /// Of which a region was made lately.
        var seen: [CacheKey] = []
        var making: Set<CacheKey> = []
        /// Of which no copy can be made or kept.
        var refused: [CacheKey] = []
    }

    private struct Wanted: Sendable {
        let key: CacheKey
        let id: String
        let read: @Sendable () throws(RenditionError) -> AssetReader.Loaded
        var attemptCount = 1
    }

    private enum Attempt {
        case ended, refused
        /// It gave way to other work.
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
    private static let attemptLimit = 8

    /// nil without a disk tier: no copy would be there for the next region.
    init?(_ cache: TieredCache, options: RenderOptions, clock: Clock, workshop: Workshop) {
        guard cache.hasDisk else { return nil }
        (self.cache, self.options, self.clock, self.workshop) = (cache, options, clock, workshop)
    }

    /// Stops what is being made.
    func close() { isClosed.set() }

    /// What the image of `request` can be made from in place of the original; nil where there is no copy, or it does not serve.
    /// Reads only what it takes; waits for the disk.
    func part(
        of id: String, _ state: OriginalState, for request: ImageRequest, accepting acceptance: Acceptance
    ) -> SharedBytes? {
        guard request.crop != nil else { return nil }
        let key = key(id, state)
        // An entry that is new is checked each time, until its file has settled.
        let found =
            cache.openEntry(for: key)
            ?? cache.find(
                key, tag: CacheTag(assetID: id), entityTag: "", mediaTypes: [Self.mediaType],
                since: cache.ledger.epoch, keepsInMemory: true)
        guard let found else { return nil }
        let (file, content) = (found.file, found.response.content)
        let copy = RegionCopy(byteCount: file?.byteCount ?? content.count) { range in
            if let file { return file.content(of: range) }
            return range.upperBound <= content.count ? content.slice(range) : nil
        }
        return copy?.part(for: request, accepting: acceptance, options: options)
    }

    /// Hears of an image that was made. `read` reads its original.
    func note(_ made: AssetRenderer.Made, read: @escaping @Sendable () throws(RenditionError) -> AssetReader.Loaded) {
        let (loaded, report) = (made.loaded, made.picture.report)
        guard loaded.sources.master == nil, report.plan.extract.size != report.plan.source,
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
        case .again where wanted.attemptCount < Self.attemptLimit:
            var next = wanted
            next.attemptCount += 1
            submit(next)
        case .again, .ended: end(wanted)
        case .refused: end(wanted, isRefused: true)
        }
    }

    private func end(_ wanted: Wanted, isRefused: Bool = false) {
        state.withLock { state in
            state.making.remove(wanted.key)
            if isRefused { state.refused = state.refused.suffix(Self.rememberedCount - 1) + [wanted.key] }
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
            return isKept || cache.ledger.isPurged(tag, wanted.key, since: epoch) ? .ended : .refused
        } catch {
            let gaveWay = mustYield.isSet || admission.postponed != nil
            return error == .cancelled && gaveWay ? .again : .refused
        }
    }

    private func key(_ id: String, _ state: OriginalState) -> CacheKey {
        CacheKey(RenditionFingerprint.service.digest(with: ["region copy", id, state.validator]))
    }
}
