import Digest
import DiskStore
import Testing

@testable import SharedCache

@Suite(.timeLimit(.minutes(5))) struct PurgeHistoryTests {
    private func reply(_ texts: [String]) -> RedisReply { .list(texts.map { .bytes(Array($0.utf8)) }) }

    private func history(_ texts: [String], after heard: UInt64?) -> PurgeHistory? {
        PurgeHistory(reply(texts), after: heard, server: "me")
    }

    @Test func nothingNew_purgesNothing() {
        let history = history(["7"], after: 7)
        #expect(history?.generation == 7 && history?.purges == [] && history?.isComplete == true)
    }

    @Test func newServer_hasMissedNothing() {
        let history = history(["7"], after: nil)
        #expect(history?.generation == 7 && history?.purges == [] && history?.isComplete == true)
    }

    @Test func missedPurges_comeInOrder_withoutOnesOwn() {
        let tag = "g00000000000000ff"
        let history = history(["8", "6-0", "other", tag, "7-0", "me", "*", "8-0", "", "-"], after: 5)
        #expect(history?.generation == 8 && history?.purges == [.group(tag: 255)] && history?.isComplete == true)
    }

    @Test(arguments: [
        ["8", "7-0", "other", "-", "8-0", "other", "-"], ["8", "6-0", "other", "-", "7-0", "other", "-"],
        ["8", "6-0", "other", "-", "8-0", "other", "-"], ["8"], ["4"],
    ])
    func gap_purgesEverything(texts: [String]) {
        let history = history(texts, after: 5)
        #expect(history?.purges == [.whole] && history?.isComplete == false)
    }

    @Test func purgeOfALaterVersion_purgesEverything() {
        #expect(history(["6", "6-0", "other", "x1"], after: 5)?.purges == [.whole])
    }

    @Test(arguments: [[], ["x"], ["6", "6-0", "other"]]) func otherReplies_areRefused(texts: [String]) {
        #expect(history(texts, after: 5) == nil)
    }

    @Test func purges_haveOneText() {
        let key = SHA256.digest(of: "key")
        for purge: SharedPurge in [.whole, .group(tag: 1), .group(tag: .max), .entry(key: key, tag: 0xfe)] {
            #expect(SharedPurge(text: purge.text) == purge)
        }
        for text in ["", "-", "**", "g1", "g000000000000000x", "e0000000000000001"] {
            #expect(SharedPurge(text: text) == nil)
        }
    }
}
