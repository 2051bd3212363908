import Digest
import DiskStore
import Origin
import Reactor
import Testing

@testable import SharedCache

@Suite(.timeLimit(.minutes(5))) struct SharedWorkTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private func job(_ byteCount: Int = 0) -> SharedJob {
        SharedJob(deadline: now + .seconds(1), byteCount: byteCount, run: { _ in })
    }

    private func kind(_ turn: SharedWork.Turn?) -> String {
        switch turn {
        case .ask: "ask"
        case .purge: "purge"
        case .look(let waits): "look \(waits.count)"
        case .write: "write"
        case .again: "again"
        case .stop: "stop"
        case nil: "nothing"
        }
    }

    @Test func askedFirst_thenPurges_thenWrites() {
        var work = SharedWork(writeLimit: 2, writeByteLimit: 100)
        #expect(work.write(job(), now: now) && work.ask(job(), now: now))
        work.purge(PendingPurge(purge: .whole, told: Monitor(false)))
        #expect((0..<4).map { _ in kind(work.next(now: now)) } == ["ask", "purge", "write", "nothing"])
    }

    @Test func writes_haveBounds() {
        var work = SharedWork(writeLimit: 2, writeByteLimit: 100)
        #expect(work.write(job(101), now: now) == false)
        #expect(work.write(job(60), now: now) && !work.write(job(41), now: now) && work.write(job(40), now: now))
        #expect(work.write(job(0), now: now) == false)
        _ = work.next(now: now)
        #expect(work.writeByteCount == 40 && work.write(job(60), now: now))
    }

    @Test func asks_haveABound() {
        var work = SharedWork(writeLimit: 1, writeByteLimit: 1)
        let taken = (0..<SharedWork.askLimit).filter { _ in work.ask(job(), now: now) }
        #expect(taken.count == SharedWork.askLimit)
        #expect(work.ask(job(), now: now) == false)
    }

    @Test func failures_stopAsking_untilAProbe() {
        var work = SharedWork(writeLimit: 9, writeByteLimit: 9)
        for _ in 0..<3 { work.breaker.failed(now: now) }
        #expect(!work.ask(job(), now: now) && !work.write(job(), now: now))
        let later = now + .seconds(1)
        #expect(work.ask(job(), now: later) && !work.ask(job(), now: later))
        work.breaker.succeeded()
        #expect(work.ask(job(), now: later) && work.write(job(), now: later))
    }

    @Test func failedPurge_isTriedAgain_aSecondLater() {
        var work = SharedWork(writeLimit: 9, writeByteLimit: 9)
        work.purge(PendingPurge(purge: .group(tag: 1), told: Monitor(false)))
        guard case .purge(let pending)? = work.next(now: now) else { return #expect(Bool(false), "no purge") }
        work.failed(pending, now: now)
        #expect(kind(work.next(now: now)) == "nothing" && work.pause(now: now) == .seconds(1))
        #expect(kind(work.next(now: now + .seconds(1))) == "purge")
    }

    @Test func purge_hidesWhatItIsAbout_untilItIsTold() {
        var work = SharedWork(writeLimit: 9, writeByteLimit: 9)
        let key = SHA256.digest(of: "a")
        work.purge(PendingPurge(purge: .group(tag: 1), told: Monitor(false)))
        #expect(work.isPurging(key, [2, 1]) && !work.isPurging(key, [2]))
        guard case .purge(let pending)? = work.next(now: now) else { return #expect(Bool(false), "no purge") }
        #expect(work.isPurging(key, [1]))
        work.failed(pending, now: now)
        #expect(work.isPurging(key, [1]))
        guard case .purge(let again)? = work.next(now: now + .seconds(1)) else {
            return #expect(Bool(false), "no purge")
        }
        work.told(again)
        #expect(!work.isPurging(key, [1]))
        work.purge(PendingPurge(purge: .entry(key: key, tag: 1), told: Monitor(false)))
        #expect(work.isPurging(key, [1]) && !work.isPurging(SHA256.digest(of: "b"), [1]))
    }

    @Test func tooManyPurges_becomeOneOfEverything() {
        var work = SharedWork(writeLimit: 9, writeByteLimit: 9)
        for tag in 0...UInt64(SharedWork.purgeLimit) {
            work.purge(PendingPurge(purge: .group(tag: tag), told: Monitor(false)))
        }
        guard case .purge(let pending)? = work.next(now: now) else { return #expect(Bool(false), "no purge") }
        #expect(pending.purge == .whole && kind(work.next(now: now)) == "nothing")
    }

    @Test func waits_areLookedAfter_now_and_then() {
        var work = SharedWork(writeLimit: 9, writeByteLimit: 9)
        let wait = SharedWait(key: SHA256.digest(of: "a"), deadline: now + .seconds(1), resume: {})
        #expect(work.wait(wait, now: now) && work.wait(wait, now: now))
        #expect(kind(work.next(now: now)) == "nothing" && work.pause(now: now) == SharedWork.lookInterval)
        #expect(kind(work.next(now: now + SharedWork.lookInterval)) == "look 2")
    }

    @Test func stop_givesBackWhatWaits() {
        var work = SharedWork(writeLimit: 9, writeByteLimit: 9)
        _ = work.ask(job(), now: now)
        _ = work.write(job(), now: now)
        _ = work.wait(SharedWait(key: SHA256.digest(of: "a"), deadline: now, resume: {}), now: now)
        let left = work.stop()
        #expect(left.jobs.count == 2 && left.waits.count == 1 && kind(work.next(now: now)) == "stop")
        #expect(!work.ask(job(), now: now) && !work.write(job(), now: now))
    }
}
