import Bytes
import DiskStore
import HTTPMessage
import ImagePlan
import Logging
import Reactor
import ResponseCache
import ServiceConfiguration
import Synchronization
import Testing
import TestSupport

@testable import VedutaService

/// A picture whose source has changed to something that cannot be made into a picture just now.
@Suite(.timeLimit(.minutes(5))) struct StandInTests {
    /// What the source is like, and how often it was tried to make a picture of it.
    private final class Source: Sendable {
        let isBroken = SharedFlag()
        let tryCount = Atomic(0)

        var validator: SourceValidator { .map(isBroken.isSet ? "broken" : "good") }
    }

    private static func plan(_ source: Source, meanwhile: @escaping @Sendable () -> Void = {}) -> PicturePlan {
        PicturePlan(
            route: .asset, canonical: "id=a", variant: "jpeg", vary: "", kind: .asset,
            tag: CacheTag(assetID: "a"), currentValidator: { () throws(Problem) in source.validator },
            render: { _ throws(Problem) in
                source.tryCount.add(1, ordering: .relaxed)
                meanwhile()
                guard !source.isBroken.isSet else {
                    throw Problem(
                        .internalServerError, "render-failed", "It could not be made", detail: "It was logged.")
                }
                return RenderedPicture(
                    content: SharedBytes([1, 2, 3]), mediaType: "image/jpeg", validator: source.validator, timings: [])
            })
    }

    /// What a flight for the plan comes to now.
    private static func outcome(_ plan: PicturePlan, of delivery: PictureDelivery) throws -> FlightOutcome {
        let sighting = try delivery.look(at: plan, known: nil, now: delivery.clock.monotonic())
        let result = Mutex<FlightOutcome?>(nil)
        let entrance = delivery.flights.enter(
            sighting.identity.key, storage: .all, epoch: sighting.epoch, isPurged: { _ in false },
            receive: { outcome in result.withLock { $0 = outcome } })
        guard case .leader(let flight, _) = entrance else { throw Problem.overloaded }
        delivery.make(
            Making(plan, sighting, flight, isForced: false, limits: PictureLimits(Configuration())), bypasses: false,
            queued: .zero)
        return try #require(result.withLock { $0 })
    }

    @Test func earlierPictureStandsIn_alsoWhileTheFailureIsRemembered() throws {
        let workers = try WorkerPool(name: "worker", threadCount: 1, queueLimit: 1)
        defer { workers.shutdown() }
        let delivery = PictureDelivery(
            configuration: Configuration(), cache: TieredCache(memoryByteCapacity: 1 << 20, disk: nil),
            workers: workers, metrics: ServiceMetrics(), log: Logger(label: "test"), clock: .system)
        let source = Source()
        let plan = Self.plan(source)
        let good = try Self.outcome(plan, of: delivery).get()
        source.isBroken.set()
        for round in 0..<3 {
            guard case .failure(let failed) = try Self.outcome(plan, of: delivery) else {
                Issue.record("nothing can be made of it")
                return
            }
            #expect(failed.problem.status == .internalServerError)
            #expect(failed.standIn?.kept.response.entityTag == good.kept.response.entityTag)
            #expect((failed.known != nil) == (round > 0))
        }
        // Once for the good one, once for the other: then it is remembered.
        #expect(source.tryCount.load(ordering: .relaxed) == 2)
    }

    // MARK: Work that did not end in time

    /// Keeps pictures on disk alone, as those are that are too large for memory.
    private static func delivery(_ workers: WorkerPool, in folder: CacheFolder) throws -> PictureDelivery {
        let disk = try EntryStore.open(
            EntryStoreSettings(path: folder.path, byteCapacity: 64 << 20, fileCapacity: 100), clock: .system
        ) { _ in }
        return PictureDelivery(
            configuration: Configuration(), cache: TieredCache(memoryByteCapacity: 0, disk: disk), workers: workers,
            metrics: ServiceMetrics(), log: Logger(label: "test"), clock: .system)
    }

    /// What is remembered where work on a picture has had as much time as any limit gives.
    private static let timeout = Problem.timedOut(afterSeconds: 1 << 20)

    /// #15: for a minute, who asked for a picture on disk was told that an explanation of it had taken too long.
    @Test func whatIsOnDisk_isFound_whateverIsRememberedOfItsWork() throws {
        let folder = try CacheFolder()
        defer { withExtendedLifetime(folder) {} }
        let workers = try WorkerPool(name: "worker", threadCount: 1, queueLimit: 1)
        defer { workers.shutdown() }
        let delivery = try Self.delivery(workers, in: folder)
        defer { delivery.cache.close() }
        let source = Source()
        let plan = Self.plan(source)
        let made = try Self.outcome(plan, of: delivery).get()
        let sighting = try delivery.look(at: plan, known: nil, now: delivery.clock.monotonic())
        #expect(!delivery.cache.isInMemory(sighting.identity.key))
        #expect(delivery.remember(Self.timeout, plan, sighting, forSeconds: 60))
        let found = try Self.outcome(plan, of: delivery).get()
        #expect(found.kept.response.entityTag == made.kept.response.entityTag)
        #expect(source.tryCount.load(ordering: .relaxed) == 1)
        _ = delivery.cache.purge(tag: plan.tag)
        let again = try delivery.look(at: plan, known: nil, now: delivery.clock.monotonic())
        #expect(delivery.remember(Self.timeout, plan, again, forSeconds: 60))
        guard case .failure(let failed) = try Self.outcome(plan, of: delivery) else {
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
        let delivery = try Self.delivery(workers, in: folder)
        defer { delivery.cache.close() }
        let giveUp = Mutex<(@Sendable () -> Void)?>(nil)
        let plan = Self.plan(Source()) { giveUp.withLock { $0 }?() }
        let sighting = try delivery.look(at: plan, known: nil, now: delivery.clock.monotonic())
        let key = sighting.identity.key
        let entrance = delivery.flights.enter(key, storage: .all, epoch: sighting.epoch, receive: { _ in })
        guard case .leader(let flight, let waiter) = entrance else { throw Problem.overloaded }
        giveUp.withLock {
            $0 = {
                #expect(waiter.leave())
                #expect(delivery.remember(Self.timeout, plan, sighting, forSeconds: 60))
            }
        }
        delivery.make(
            Making(plan, sighting, flight, isForced: false, limits: PictureLimits(Configuration())), bypasses: false,
            queued: .zero)
        giveUp.withLock { $0 = nil }
        #expect(flight.isAbandoned && delivery.contains(plan, sighting.identity))
        #expect(delivery.cache.failures.failure(for: key, at: delivery.clock.monotonic())?.until == nil)
    }
}
