import HTTPMessage
import ImageEngine
import ImagePlan
import Parameters
import Reactor
import Renditions
import ServiceConfiguration
import Sandbox
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct RenderAdmissionTests {
    private func cost(frames: Int, side: Int = 400) throws -> RenderCost {
        let header = ImageHeader(format: .gif, widthPx: side, heightPx: side, pageCount: frames, isAnimated: frames > 1)
        let planning = try ImageRequest(id: "a").planning(for: header, accepting: Acceptance(only: .gif))
        guard case .plan(let plan) = planning else { throw ImageError.cancelled }
        return RenderCost(plan.predictedCost(header))
    }

    private let limit = WorkLimit(seconds: 60)

    @Test func ordinaryPictures_goOn() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let ticket = RenderAdmission(workers, .none, limit)
        #expect(try ticket.admit(cost(frames: 1)) == .goOn)
        #expect(ticket.postponed == nil)
        #expect(workers.exchange(.none, for: .long) && workers.exchange(.long, for: .none))
    }

    @Test func theSecondAnimation_startsAgainInItsLane() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let first = RenderAdmission(workers, .none, limit)
        let second = RenderAdmission(workers, .none, limit)
        #expect(try first.admit(cost(frames: 40)) == .goOn)
        #expect(try second.admit(cost(frames: 40)) == .startLater)
        let again = try #require(second.postponed)
        #expect(first.postponed == nil && again.isLong)
        second.end()
        #expect(try RenderAdmission(workers, again, limit).admit(cost(frames: 40)) == .goOn)
        first.end()
        let third = RenderAdmission(workers, .none, limit)
        #expect(try third.admit(cost(frames: 40)) == .goOn)
        third.end()
    }

    /// A master that does not do is found out after the first question; the original asks again.
    @Test func whoAsksTwice_hasOnePlace_andGivesItBack() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let ticket = RenderAdmission(workers, .none, limit)
        #expect(try ticket.admit(cost(frames: 40)) == .goOn)
        #expect(try ticket.admit(cost(frames: 40)) == .goOn)
        #expect(ticket.postponed == nil)
        #expect(!workers.exchange(.none, for: .long), "the only place is taken")
        ticket.end()
        #expect(workers.exchange(.none, for: .long) && workers.exchange(.long, for: .none), "and free again")
    }

    @Test func whatIsTooDear_isRefusedInEveryLane() throws {
        let workers = try WorkerPool(name: "t", threadCount: 2, queueLimit: 4)
        defer { workers.shutdown() }
        let tight = WorkLimit(seconds: 2)
        for lane in [JobClaim.none, .long] {
            #expect(try RenderAdmission(workers, lane, tight).admit(cost(frames: 300)) == .tooCostly)
            #expect(
                try RenderAdmission(workers, lane, WorkLimit(seconds: 7200, byteCount: 1000)).admit(cost(frames: 1))
                    == .tooCostly)
        }
        #expect(workers.exchange(.none, for: .long) && workers.exchange(.long, for: .none), "nothing was begun")
    }

    /// #15.3: two pictures that do not fit into memory together are made one after the other.
    @Test func largePictures_waitForMemory() throws {
        let workers = try WorkerPool(name: "t", threadCount: 4, queueLimit: 4, byteLimit: 300 << 20)
        defer { workers.shutdown() }
        let large = RenderCost(PredictedCost(steps: [.init("decode", nanoseconds: 1, bytes: 200e6)], frameCount: 1))
        let tickets = (0..<2).map { _ in RenderAdmission(workers, .none, limit) }
        #expect(tickets[0].admit(large) == .goOn)
        #expect(tickets[1].admit(large) == .startLater)
        #expect(tickets[1].postponed == JobClaim(byteCount: 200_000_000))
        let small = RenderCost(PredictedCost(steps: [.init("decode", nanoseconds: 1, bytes: 2e6)], frameCount: 1))
        #expect(RenderAdmission(workers, .none, limit).admit(small) == .goOn)
        tickets[0].end()
        let again = RenderAdmission(workers, .none, limit)
        #expect(again.admit(large) == .goOn)
        again.end()
    }

    /// #21.9: a container's limit bounds all renders together, unless the configuration does.
    @Test(arguments: [(8 << 30, 2 << 30), (2 << 30, 888 << 20), (1 << 30, 256 << 20), (1 << 20, 256 << 20)])
    func theMemoryOfRenders_followsTheCgroup(limit: Int, all: Int) {
        var configuration = Configuration()
        configuration.workers = 4
        configuration.isolation = .all
        let budget = MemoryBudget(configuration, limit: limit)
        #expect(budget.claimedByteCount >> 20 == (all - all / 8) >> 20)
        configuration.renderMemory = 3 << 30
        #expect(MemoryBudget(configuration, limit: limit) == MemoryBudget(configuration, limit: nil))
    }

    /// #15.3: the limit of one picture is its own setting, and what cannot end in time is refused as well.
    @Test func theLimits_areThoseOfTheConfiguration() {
        var configuration = Configuration()
        configuration.workers = 4
        #expect(MemoryBudget(configuration, limit: nil).claimedByteCount == (2 << 30) - (256 << 20))
        configuration.renderMemory = 2 << 30
        #expect(WorkLimit(configuration) == WorkLimit(seconds: 10, freeByteCount: 64 << 20))
        configuration.costLimit = 90
        configuration.memoryLimit = 5 << 20
        configuration.renderMemory = 64 << 20
        #expect(
            WorkLimit(configuration)
                == WorkLimit(seconds: 60, byteCount: 5 << 20, freeByteCount: 2 << 20, timeSetting: .renderTimeout))
    }

    @Test func theProblemSaysWhatItWouldTake() {
        let problem = Problem(RenditionError(.tooCostly(microseconds: 95_400_000, byteCount: 2_000_000_000)))
        #expect(problem.status.code == 422)
        #expect(problem.detail.contains("96 s") && problem.detail.contains("1907 MiB") && problem.excesses.isEmpty)
    }

    /// #15.16: which limit, and what it is called.
    @Test func theProblemNamesTheLimitsThatAreBroken() {
        let error = RenditionError(.tooCostly(microseconds: 5_000_001, byteCount: 2_000_000_000))
        func named(_ limit: WorkLimit) -> [LimitExcess] { Problem(limit.named(error)).excesses }
        let time = LimitExcess(setting: .costLimit, limit: 5, needed: 6)
        let memory = LimitExcess(setting: .memoryLimit, limit: 1 << 30, needed: 2_000_000_000)
        #expect(named(WorkLimit(seconds: 5)) == [time, memory])
        #expect(named(WorkLimit(seconds: 6)) == [memory])
        #expect(named(WorkLimit(seconds: 5, byteCount: 1 << 31)) == [time])
        var configuration = Configuration()
        configuration.renderTimeout = 2
        configuration.memoryLimit = 1 << 40
        let late = WorkLimit(configuration)
        #expect(named(late) == [LimitExcess(setting: .renderTimeout, limit: 4, needed: 6)])
        #expect(
            Problem(late.named(error)).detail.contains(
                "at most 4 s of processor time (twice its setting `render-timeout`)"))
        #expect(Problem(late.named(.busy)) == .overloaded)
        configuration.renderTimeout = 30
        configuration.costLimit = 6
        #expect(RenditionLimits(configuration).remembered(error) == nil, "it could be made by now")
    }

    /// What took too long under one limit would do so under a lower one, and may do under a higher one.
    @Test func timeoutsHoldUnderTheSameAndLowerLimits() {
        var configuration = Configuration()
        configuration.renderTimeout = 20
        for (seconds, holds) in [(19, false), (20, true), (61, true)] {
            let known = RenditionLimits(configuration).remembered(.timedOut(afterSeconds: seconds))
            #expect((known != nil) == holds, "\(seconds)")
        }
    }
}
