import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct ArchiveExtractTests {
    /// Neighbours are read together, up to 8 MiB, and what lies further away by itself.
    @Test func requestsJoinWhatIsNear() {
        let near: [Range<UInt64>] = [0..<100, 100..<200, 100_000..<100_100]
        let far: [Range<UInt64>] = [1_000_000..<1_000_001]
        let parts = ArchiveExtract.joined(near + far)
        #expect(parts.map(\.range) == [0..<100_100, 1_000_000..<1_000_001])
        #expect(parts.map(\.contents) == [near, far])
        // Contents may overlap.
        #expect(ArchiveExtract.joined([0..<500, 100..<200]).map(\.range) == [0..<500])
        let many = (0..<20).map { UInt64($0) << 20..<UInt64($0 + 1) << 20 }
        #expect(ArchiveExtract.joined(many).map(\.range.count) == [8 << 20, 8 << 20, 4 << 20])
    }
}
