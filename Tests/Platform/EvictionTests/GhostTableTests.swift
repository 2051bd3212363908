import Testing

@testable import Eviction

@Suite("Ghosts", .timeLimit(.minutes(5)))
struct GhostTableTests {
    @Test(arguments: [64, 1000, 50_000])
    func theLastKeys_areRemembered(limit: Int) {
        var ghosts = GhostTable()
        for number in 0..<limit * 5 { ghosts.insert(key(number), limit: limit) }
        let early = (0..<limit * 4 - 1).count { ghosts.remove(key($0), limit: limit) }
        #expect(early <= 1 + limit / 1000, "\(early) keys were remembered too long")
        let late = (limit * 4..<limit * 5).count { ghosts.remove(key($0), limit: limit) }
        #expect(late > limit * 9 / 10, "\(late) of \(limit) were remembered")
        let again = (limit * 4..<limit * 5).count { ghosts.remove(key($0), limit: limit) }
        #expect(again == 0)
        #expect(ghosts.byteCount / limit <= 13)
    }

    @Test func anotherLimit_keepsWhatStillCounts() {
        var ghosts = GhostTable()
        for number in 0..<1000 { ghosts.insert(key(number), limit: 1000) }
        for number in 1000..<1010 { ghosts.insert(key(number), limit: 10_000) }
        let kept = (0..<1010).count { ghosts.remove(key($0), limit: 10_000) }
        #expect(kept > 900)
        let large = ghosts.byteCount
        ghosts.insert(key(1), limit: 100)
        #expect(ghosts.byteCount < large / 10)
        #expect(ghosts.remove(key(1), limit: 100) == true)
    }

    @Test func nothing_isRememberedAtFirst() {
        var ghosts = GhostTable()
        #expect(ghosts.remove(key(1), limit: 100) == false)
        #expect(ghosts.byteCount == 0)
    }
}
