import Testing

@testable import DiskStore

@Suite struct EntryCountsTests {
    @Test func newStore_isOnAndNotIndexed() {
        let counts = EntryCounts()
        #expect(counts.isOn)
        #expect(!counts.isIndexed)
    }
}
