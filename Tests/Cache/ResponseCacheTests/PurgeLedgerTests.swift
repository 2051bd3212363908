import Digest
import SeededRandom
import Synchronization
import TestThreads
import Testing

@testable import ResponseCache

@Suite(.timeLimit(.minutes(5))) struct PurgeLedgerTests {
    private let ledger = PurgeLedger()

    @Test func nothingIsPurgedAtFirst() {
        let epoch = ledger.epoch
        #expect(!ledger.isPurged(tag(1), key("a"), since: epoch))
    }

    @Test func purgeOfATag_reachesWorkThatBeganBefore_andNoOther() {
        let before = ledger.epoch
        ledger.notePurge(of: tag(1))
        let after = ledger.epoch
        #expect(ledger.isPurged(tag(1), key("a"), since: before))
        #expect(ledger.isPurged(tag(1), key("b"), since: before))
        #expect(!ledger.isPurged(tag(2), key("a"), since: before))
        #expect(!ledger.isPurged(tag(1), key("a"), since: after))
    }

    @Test func purgeOfAKey_reachesThatKeyAlone() {
        let before = ledger.epoch
        ledger.notePurge(of: key("a"))
        #expect(ledger.isPurged(tag(1), key("a"), since: before))
        #expect(!ledger.isPurged(tag(1), key("b"), since: before))
    }

    @Test func purgeOfAll_reachesEverything() {
        let before = ledger.epoch
        ledger.notePurgeOfAll()
        let after = ledger.epoch
        for number in 0..<100 {
            #expect(ledger.isPurged(tag(UInt64(number)), key("\(number)"), since: before))
            #expect(!ledger.isPurged(tag(UInt64(number)), key("\(number)"), since: after))
        }
    }

    @Test func aPurgeIsNeverForgotten() {
        let before = ledger.epoch
        ledger.notePurge(of: tag(1))
        for number in 2..<100_000 { ledger.notePurge(of: tag(UInt64(number))) }
        #expect(ledger.isPurged(tag(1), key("a"), since: before))
    }

    @Test func everyPurgeChangesTheEpoch() {
        var known: [PurgeEpoch] = [ledger.epoch]
        ledger.notePurge(of: tag(1))
        known.append(ledger.epoch)
        ledger.notePurge(of: key("a"))
        known.append(ledger.epoch)
        ledger.notePurgeOfAll()
        known.append(ledger.epoch)
        #expect(Set(known).count == 4)
        #expect(known == known.sorted())
    }

    @Test func unrelatedPurgesAreMistakenRarely() {
        var generator = SeededGenerator(state: 4)
        let before = ledger.epoch
        for _ in 0..<100 { ledger.notePurge(of: tag(generator.next())) }
        let mistaken = (0..<10_000).count { _ in
            ledger.isPurged(tag(generator.next()), CacheKey(SHA256.digest(of: "\(generator.next())")), since: before)
        }
        // A hundred of 4096 slots, asked for twice: one in twenty.
        #expect(mistaken < 700)
    }

    @Test func purgesFromManyThreads_areAllSeen() {
        let before = ledger.epoch
        let ledger = ledger
        onThreads(4) { thread in
            for number in 0..<1000 { ledger.notePurge(of: CacheTag(word: UInt64(thread * 1000 + number))) }
        }
        for number in 0..<4000 { #expect(ledger.isPurged(tag(UInt64(number)), key("a"), since: before)) }
    }

    private func tag(_ word: UInt64) -> CacheTag { CacheTag(word: word) }
    private func key(_ text: String) -> CacheKey { CacheKey(SHA256.digest(of: text)) }
}
