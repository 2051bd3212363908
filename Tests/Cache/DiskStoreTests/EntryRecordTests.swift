import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct EntryCountsTests {
    @Test func newStore_isOnAndNotIndexed() {
        let counts = EntryCounts()
        #expect(counts.isOn)
        #expect(!counts.isIndexed)
    }
}
