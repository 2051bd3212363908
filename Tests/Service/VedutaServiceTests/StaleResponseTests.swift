import Bytes
import DiskStore
import ImageEngine
import Reactor
import ResponseCache
import Telemetry
import ServiceConfiguration
import Synchronization
import Testing
import TestSupport

@testable import Renditions
@testable import VedutaService

/// A picture whose source has changed to something that cannot be made into a picture just now.
@Suite(.timeLimit(.minutes(5))) struct StaleResponseTests {
    /// What the source is like, and how often it was tried to make a picture of it.
    private final class Source: RenditionSource, RenditionRenderer {
        let isBroken = SharedFlag()
        let tryCount = Atomic(0)
        let meanwhile: @Sendable () -> Void

        init(meanwhile: @escaping @Sendable () -> Void = {}) { self.meanwhile = meanwhile }

        func currentState() throws(RenditionError) -> SourceValidator { .map(isBroken.isSet ? "broken" : "good") }

        func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
            tryCount.add(1, ordering: .relaxed)
            meanwhile()
            guard !isBroken.isSet else { throw RenditionError(ImageError.operationFailed(log: "cause")) }
            return RenderedContent(SharedBytes([1, 2, 3]), mediaType: "image/jpeg", validator: try currentState())
        }
    }

    private static func rendition(_ source: Source) -> Rendition { TestRenditions.rendition(vary: "", source: source) }

    private static let limits = RenditionLimits(Configuration())

    private static func service(_ workers: WorkerPool, _ tiers: TieredCache) -> RenditionService {
        RenditionService(
            RenditionCache(tiers), workers: workers, workerCount: 1, metrics: ServiceMetrics().renditions,
            clock: .system, isKeeping: true)
    }

    private static func state(_ rendition: Rendition, _ service: RenditionService) throws -> SourceState {
        try service.observeSource(of: rendition, known: nil, now: service.clock.monotonic())
    }

    /// What a render comes to now.
    private static func outcome(_ rendition: Rendition, of service: RenditionService) throws -> RenderOutcome {
        let state = try state(rendition, service)
        let result = Mutex<RenderOutcome?>(nil)
        let entrance = service.flights.enter(
            state.identity.key, storage: .all, epoch: state.epoch, isPurged: { _ in false },
            receive: { outcome in result.withLock { $0 = outcome } })
        guard case .leader(let flight, _) = entrance else { throw RenditionError.busy }
        service.run(
            RenderWalk(
                rendition: rendition, state: state, flight: flight, limits: limits, isForced: false, bypasses: false))
        return try #require(result.withLock { $0 })
    }

    @Test func earlierPictureStandsIn_alsoWhileTheFailureIsRemembered() throws {
        let workers = try WorkerPool(name: "worker", threadCount: 1, queueLimit: 1)
        defer { workers.shutdown() }
        let service = Self.service(workers, TieredCache(memoryByteCapacity: 1 << 20, disk: nil))
        let source = Source()
        let rendition = Self.rendition(source)
        let good = try Self.outcome(rendition, of: service).get()
        source.isBroken.set()
        for round in 0..<3 {
            guard case .failure(let failed) = try Self.outcome(rendition, of: service) else {
                Issue.record("nothing can be made of it")
                return
            }
            #expect(Problem(failed.error).type == "render-failed")
            #expect(failed.stale?.kept.response.entityTag == good.stored.kept.response.entityTag)
            #expect((failed.known != nil) == (round > 0))
        }
        // Once for the good one, once for the other: then it is remembered.
        #expect(source.tryCount.load(ordering: .relaxed) == 2)
    }

    // MARK: Work that did not end in time

    /// Keeps pictures on disk alone, as those are that are too large for memory.
    private static func service(_ workers: WorkerPool, in folder: CacheFolder) throws -> RenditionService {
        let disk = try EntryStore.open(
            EntryStoreSettings(path: folder.path, byteCapacity: 64 << 20, fileCapacity: 100), clock: .system
        ) { _ in }
        return service(workers, TieredCache(memoryByteCapacity: 0, disk: disk))
    }

    /// What is remembered where work on a picture has had as much time as any limit gives.
    private static let timeout = RenditionError.timedOut(afterSeconds: 1 << 20)

    private static func remember(_ rendition: Rendition, _ state: SourceState, _ service: RenditionService) -> Bool {
        service.cache.remember(timeout, of: rendition, state, at: service.clock.monotonic(), forSeconds: 60)
    }

    /// #15: for a minute, who asked for a picture on disk was told that an explanation of it had taken too long.
    @Test func whatIsOnDisk_isFound_whateverIsRememberedOfItsWork() throws {
        let folder = try CacheFolder()
        defer { withExtendedLifetime(folder) {} }
        let workers = try WorkerPool(name: "worker", threadCount: 1, queueLimit: 1)
        defer { workers.shutdown() }
        let service = try Self.service(workers, in: folder)
        defer { service.cache.tiers.close() }
        let source = Source()
        let rendition = Self.rendition(source)
        let made = try Self.outcome(rendition, of: service).get()
        let state = try Self.state(rendition, service)
        #expect(!service.cache.tiers.isInMemory(state.identity.key))
        #expect(Self.remember(rendition, state, service))
        let found = try Self.outcome(rendition, of: service).get()
        #expect(found.stored.kept.response.entityTag == made.stored.kept.response.entityTag)
        #expect(source.tryCount.load(ordering: .relaxed) == 1)
        _ = service.cache.purge(.asset("a"))
        let again = try Self.state(rendition, service)
        #expect(Self.remember(rendition, again, service))
        guard case .failure(let failed) = try Self.outcome(rendition, of: service) else {
            Issue.record("it is nowhere")
            return
        }
        #expect(failed.known != nil && source.tryCount.load(ordering: .relaxed) == 1)
    }

    /// #15: that it came late was remembered of a picture that was on disk by then.
    @Test func whatCameLate_isNoFailure_onceItIsOnDisk() throws {
        let folder = try CacheFolder()
        defer { withExtendedLifetime(folder) {} }
        let workers = try WorkerPool(name: "worker", threadCount: 1, queueLimit: 1)
        defer { workers.shutdown() }
        let service = try Self.service(workers, in: folder)
        defer { service.cache.tiers.close() }
        let giveUp = Mutex<(@Sendable () -> Void)?>(nil)
        let rendition = Self.rendition(Source { giveUp.withLock { $0 }?() })
        let state = try Self.state(rendition, service)
        let key = state.identity.key
        let entrance = service.flights.enter(key, storage: .all, epoch: state.epoch, receive: { _ in })
        guard case .leader(let flight, let waiter) = entrance else { throw RenditionError.busy }
        giveUp.withLock {
            $0 = {
                #expect(waiter.leave())
                #expect(Self.remember(rendition, state, service))
            }
        }
        service.run(
            RenderWalk(
                rendition: rendition, state: state, flight: flight, limits: Self.limits, isForced: false,
                bypasses: false))
        giveUp.withLock { $0 = nil }
        #expect(flight.isAbandoned && service.cache.contains(rendition, state.identity))
        #expect(service.cache.failures.failure(for: key, at: service.clock.monotonic())?.until == nil)
    }

    // MARK: Purges

    @Test func purges_forgetFailuresToo() throws {
        let cache = RenditionCache(TieredCache(memoryByteCapacity: 1 << 20, disk: nil))
        let rendition = TestRenditions.rendition()
        let now = MonotonicInstant(nanoseconds: 0)
        let identity = rendition.identity(with: .map("v1"))
        let (key, tag) = (identity.key, rendition.tag)
        let purges: [() -> Void] = [
            { _ = cache.purge(.asset("a")) }, { _ = cache.purge(.rendition(CacheEntryName(tag: tag, key: key))) },
            { _ = cache.purge(.whole) }, { cache.apply(.group(tag: tag.word)) },
            { cache.apply(.entry(key: key.digest, tag: tag.word)) }, { cache.apply(.whole) },
        ]
        for purge in purges {
            let state = SourceState(identity, at: now, epoch: cache.tiers.ledger.epoch)
            #expect(cache.remember(.notStored, of: rendition, state, at: now, forSeconds: 60))
            #expect(cache.failures.failure(for: key, at: now) != nil)
            purge()
            #expect(cache.failures.failure(for: key, at: now) == nil)
            #expect(!cache.remember(.notStored, of: rendition, state, at: now, forSeconds: 60), "it was purged since")
        }
    }
}
