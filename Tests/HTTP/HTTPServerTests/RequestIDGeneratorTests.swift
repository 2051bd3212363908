import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct RequestIDGeneratorTests {
    @Test func ids_areUnique_withinALoop() {
        var generator = RequestIDGenerator(loopIndex: 0, seed: 1 << 40)
        #expect(Set((0..<1000).map { _ in generator.next().text }).count == 1000)
    }

    @Test func loopsAndProcesses_areSetApart() {
        var ids: Set<String> = []
        for seed in [0, 1 << 16, UInt64.max] {
            for loop in 0..<3 {
                var generator = RequestIDGenerator(loopIndex: loop, seed: seed)
                ids.insert(generator.next().text)
            }
        }
        #expect(ids.count == 9)
    }

    @Test func ids_areShortTokens() {
        var generator = RequestIDGenerator(loopIndex: 255, seed: .max)
        let id = generator.next().text
        #expect(id.utf8.count <= 64)
        #expect(
            id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-") })
    }
}
