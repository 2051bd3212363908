import Bytes
import HTTPMessage
import ImagePlan
import Logging
import Reactor
import ResponseCache
import Synchronization
import Testing

@testable import VedutaService

/// A picture whose source has changed to something that cannot be made into a picture just now.
@Suite(.timeLimit(.minutes(5))) struct StandInTests {
    /// What the source is like, and how often it was tried to make a picture of it.
    private final class Source: Sendable {
        let isBroken = SharedFlag()
        let tryCount = Atomic(0)

        var validator: SourceValidator { .map(isBroken.isSet ? "broken" : "good") }
    }

    private static func plan(_ source: Source) -> PicturePlan {
        PicturePlan(
            route: .asset, canonical: "id=a", variant: "jpeg", vary: "", kind: .asset,
            tag: CacheTag(assetID: "a"), currentValidator: { () throws(Problem) in source.validator },
            render: { _ throws(Problem) in
                source.tryCount.add(1, ordering: .relaxed)
                guard !source.isBroken.isSet else {
                    throw Problem(.internalServerError, "render-failed", "It could not be made", "It was logged.")
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
            Making(plan, sighting, flight, isForced: false, PictureLimits(Configuration())), bypasses: false,
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
}
