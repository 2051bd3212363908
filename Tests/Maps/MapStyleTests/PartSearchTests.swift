import SeededRandom
import Testing

@testable import MapStyle

@Suite(.timeLimit(.minutes(5))) struct PartSearchTests {
    private func naivePosition(of part: String, in text: String, from start: Int) -> Int? {
        let (text, part) = (Array(text.unicodeScalars), Array(part.unicodeScalars))
        guard start + part.count <= text.count else { return nil }
        return (start...(text.count - part.count)).first { Array(text[$0..<($0 + part.count)]) == part }
    }

    private func naiveParts(of text: String, between separator: String) -> [Value] {
        var parts: [Value] = []
        let scalars = Array(text.unicodeScalars).map { String($0) }
        let length = separator.unicodeScalars.count
        var start = 0
        while let place = naivePosition(of: separator, in: text, from: start) {
            parts.append(.string(scalars[start..<place].joined()))
            start = place + length
        }
        return parts + [.string(scalars[start...].joined())]
    }

    private func text(_ counts: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: counts, using: &random) { text += Bool.random(using: &random) ? "a" : "😀" }
        return text
    }

    @Test func parts_areFoundWhereANaiveSearchFindsThem() throws {
        var random = SeededGenerator(state: 5)
        for _ in 0..<2000 {
            let text = text(0...16, &random)
            let part = text.isEmpty || Bool.random(using: &random) ? self.text(0...5, &random) : String(text.suffix(3))
            for start in 0...text.unicodeScalars.count {
                let wanted = naivePosition(of: part, in: text, from: start)
                #expect(text.position(of: part, from: start) == wanted, "\(part) in \(text) from \(start)")
            }
            guard !part.isEmpty else { continue }
            let parts = try evaluate("[\"split\", \"\(text)\", \"\(part)\"]")
            #expect(parts == .array(naiveParts(of: text, between: part)), "\(text) between \(part)")
        }
    }

    /// A naive search compares 2.5 · 10¹¹ times.
    @Test func longTextsThatAlmostMatch_areSearchedInOnePass() throws {
        let text = String(repeating: "a", count: 1_000_000)
        let part = String(repeating: "a", count: 500_000) + "b"
        #expect(text.position(of: part, from: 0) == nil)
        #expect((text + "b" + text).position(of: part, from: 0) == 500_000)
        #expect((text + "b" + text).position(of: part, from: 500_001) == nil)
        #expect(try evaluate("[\"in\", \"\(part)\", \"\(text)\"]") == .boolean(false))
        #expect(try evaluate("[\"index-of\", \"\(part)\", \"\(text)b\"]") == .number(500_000))
        #expect(try evaluate("[\"length\", [\"split\", \"\(text)b\", \"\(part)\"]]") == .number(2))
    }
}
