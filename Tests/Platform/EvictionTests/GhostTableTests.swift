import Testing

@testable import Eviction

@Suite("Ghosts", .timeLimit(.minutes(5)))
struct GhostTableTests {
    @Test(arguments: [64, 1000, 50_000])
    func theLatestEvictions_areRemembered(entryCount: Int) {
        var ghosts = GhostTable()
        for number in 0..<entryCount * 40 { ghosts.insert(key(number), entryCount: entryCount) }
        let early = (0..<entryCount * 20).count { ghosts.count(of: key($0)) > 0 }
        #expect(early <= 1 + entryCount / 50, "\(early) keys were remembered too long")
        let late = (entryCount * 39..<entryCount * 40).count { ghosts.count(of: key($0)) > 0 }
        #expect(late > entryCount * 9 / 10, "\(late) of \(entryCount) were remembered")
        #expect(ghosts.byteCount <= 8 * entryCount + 32)
    }

    @Test func evictionsOfAKey_areCounted() {
        var ghosts = GhostTable()
        for number in 0..<3 {
            ghosts.insert(key(1), entryCount: 1000)
            #expect(ghosts.count(of: key(1)) == number + 1)
        }
        #expect(ghosts.count(of: key(2)) == 0)
        for _ in 0..<100 { ghosts.insert(key(1), entryCount: 1000) }
        #expect(ghosts.count(of: key(1)) == 8)
    }

    @Test func moreEntries_keepWhatIsRemembered_andFewerForgetAPart() {
        var ghosts = GhostTable()
        for number in 0..<1000 { ghosts.insert(key(number), entryCount: 1000) }
        for number in 1000..<1010 { ghosts.insert(key(number), entryCount: 10_000) }
        let kept = (0..<1010).count { ghosts.count(of: key($0)) > 0 }
        #expect(kept > 900)
        let large = ghosts.byteCount
        ghosts.insert(key(1), entryCount: 100)
        #expect(ghosts.byteCount < large / 10)
        #expect(ghosts.count(of: key(1)) > 0)
    }

    @Test func nothing_isRememberedAtFirst() {
        let ghosts = GhostTable()
        #expect(ghosts.count(of: key(1)) == 0)
        #expect(ghosts.byteCount == 0)
    }
}
