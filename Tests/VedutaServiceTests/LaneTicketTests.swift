import HTTPMessage
import ImageEngine
import ImagePlan
import Parameters
import Reactor
import Testing

@testable import VedutaService

@Suite struct LaneTicketTests {
    private func cost(frames: Int, side: Int = 400) throws -> PredictedCost {
        let traits = SourceTraits(
            format: .gif, widthPx: side, heightPx: side, pageCount: frames, isAnimated: frames > 1)
        let planning = try ImageRequest(id: "a").planning(for: traits, accepting: Acceptance(only: .gif))
        guard case .plan(let plan) = planning else { throw Problem.timedOut }
        return plan.predictedCost(traits)
    }

    private let limit = CostLimit(renderTimeout: 30)

    @Test func ordinaryPictures_goOn() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let ticket = LaneTicket(workers, .ordinary, limit)
        #expect(try ticket.admit(cost(frames: 1)) == .now)
        #expect(!ticket.isPostponed)
        #expect(workers.beginLong())
        workers.endLong()
    }

    @Test func theSecondAnimation_startsAgainInItsLane() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let first = LaneTicket(workers, .ordinary, limit)
        let second = LaneTicket(workers, .ordinary, limit)
        #expect(try first.admit(cost(frames: 40)) == .now)
        #expect(try second.admit(cost(frames: 40)) == .later)
        #expect(!first.isPostponed && second.isPostponed)
        second.end()
        #expect(try LaneTicket(workers, .long, limit).admit(cost(frames: 40)) == .now)
        first.end()
        let third = LaneTicket(workers, .ordinary, limit)
        #expect(try third.admit(cost(frames: 40)) == .now)
        third.end()
    }

    /// A master that does not do is found out after the first question; the original asks again.
    @Test func whoAsksTwice_hasOnePlace_andGivesItBack() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let ticket = LaneTicket(workers, .ordinary, limit)
        #expect(try ticket.admit(cost(frames: 40)) == .now)
        #expect(try ticket.admit(cost(frames: 40)) == .now)
        #expect(!ticket.isPostponed)
        #expect(!workers.beginLong(), "the only place is taken")
        ticket.end()
        #expect(workers.beginLong(), "and free again")
        workers.endLong()
    }

    @Test func whatIsTooDear_isRefusedInEveryLane() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let tight = CostLimit(renderTimeout: 1)
        for lane in [WorkerPool.Lane.ordinary, .long] {
            #expect(try LaneTicket(workers, lane, tight).admit(cost(frames: 300)) == .never)
            #expect(
                try LaneTicket(workers, lane, CostLimit(renderTimeout: 3600, byteCount: 1000)).admit(cost(frames: 1))
                    == .never)
        }
        #expect(workers.beginLong(), "nothing was begun")
        workers.endLong()
    }

    @Test func theProblemSaysWhatItWouldTake() {
        let problem = Problem(ImageError.tooCostly(microseconds: 95_400_000, byteCount: 2_000_000_000))
        #expect(problem.status.code == 422)
        #expect(problem.detail.contains("95 s") && problem.detail.contains("2000 MB"))
    }
}
