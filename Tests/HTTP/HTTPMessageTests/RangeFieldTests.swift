import HTTPMessage
import Testing

/// Reading Range and selecting bytes, against models that are slow and plain.
@Suite(.timeLimit(.minutes(5))) struct RangeFieldTests {
    private static let largest = Int.max

    @Test(
        arguments: [
            ("bytes=0-499", [.positions(first: 0, last: 499)]),
            ("bytes=500-", [.positions(first: 500, last: nil)]),
            ("bytes=-500", [.suffix(byteCount: 500)]),
            ("bytes=-0", [.suffix(byteCount: 0)]),
            ("BYTES=0-0,-1", [.positions(first: 0, last: 0), .suffix(byteCount: 1)]),
            (
                "bytes=0-1, 4-5\t,\t9-",
                [.positions(first: 0, last: 1), .positions(first: 4, last: 5), .positions(first: 9, last: nil)]
            ),
            ("bytes=,, 0-1 ,,", [.positions(first: 0, last: 1)]),
            ("bytes=007-0010", [.positions(first: 7, last: 10)]),
            ("bytes=9223372036854775807-", [.positions(first: largest, last: nil)]),
            ("bytes=9223372036854775808-", [.positions(first: largest, last: nil)]),
            ("bytes=0-18446744073709551617", [.positions(first: 0, last: largest)]),
            ("bytes=-99999999999999999999999999", [.suffix(byteCount: largest)]),
        ] as [(String, [RangeField.Spec])])
    func wellFormedField_isRead(_ text: String, _ specs: [RangeField.Spec]) {
        #expect(RangeField(text)?.specs == specs)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "=0-1", "bytes=,", "bytes= , ,", "bytes=-", "bytes=--1", "bytes=5", "bytes=5-2",
        "bytes=a-b",
        "bytes=0-1x", "bytes=0x0-1", "bytes=+0-1", "bytes=0-+1", "bytes=0 -1", "bytes=0- 1", "bytes=0-1-2",
        "bytes=0-1;2-3",
        "bytes=0-1 2-3", "bytes =0-1", " bytes=0-1", "byte=0-1", "bytess=0-1", "items=0-1", "none", "0-1", "bytes:0-1",
        "bytes=0-1,x", "bytes=x,0-1", "bytes=0-1,bytes=2-3", "bytes=0-1,5-2", "bytes=\"0-1\"", "bytes=0.0-1",
        "bytes=0-1\u{0}",
    ])
    func malformedField_isIgnored(_ text: String) { #expect(RangeField(text) == nil) }

    @Test func moreRangesThanTheLimit_areIgnored() {
        let limit = RangeField.specLimit
        func field(_ count: Int) -> String {
            "bytes=" + (0..<count).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        }
        #expect(RangeField(field(limit))?.specs.count == limit)
        #expect(RangeField(field(limit + 1)) == nil)
        #expect(RangeField("bytes=" + String(repeating: ",", count: 5000) + "0-1")?.specs.count == 1)
    }

    @Test func everyTripleOfSmallNumbers_selectsWhatCountingSelects() {
        for byteCount in 0...6 {
            for spec in RangeModel.smallSpecs {
                let expected = RangeModel.selection([spec], of: byteCount)
                let selection = RangeField("bytes=" + spec.text)?.selection(of: byteCount)
                #expect(selection == expected, "\(spec.text) of \(byteCount)")
            }
        }
        for last in 0...5 {
            for first in (last + 1)...6 { #expect(RangeField("bytes=\(first)-\(last)") == nil) }
        }
    }

    @Test func everyPairOfSmallRanges_isJoinedAsCountingJoinsIt() {
        for byteCount in 0...6 {
            for first in RangeModel.smallSpecs {
                for second in RangeModel.smallSpecs {
                    let selection = RangeField("bytes=\(first.text),\(second.text)")?.selection(of: byteCount)
                    let expected = RangeModel.selection([first, second], of: byteCount)
                    if selection != expected {
                        Issue.record("\(first.text),\(second.text) of \(byteCount): \(String(describing: selection))")
                    }
                }
            }
        }
    }

    @Test func randomRanges_areJoinedAsCountingJoinsThem() {
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<20_000 {
            let byteCount = Int.random(in: 0...40, using: &numbers)
            let specs = (0..<Int.random(in: 1...RangeField.specLimit, using: &numbers)).map { _ in
                RangeModel.Spec(using: &numbers, limit: 44)
            }
            let text = "bytes=" + specs.map(\.text).joined(separator: ",")
            let selection = RangeField(text)?.selection(of: byteCount)
            let expected = RangeModel.selection(specs, of: byteCount)
            if selection != expected { Issue.record("\(text) of \(byteCount): \(String(describing: selection))") }
        }
    }

    @Test func randomFields_areReadAsTheSlowReaderReadsThem() {
        var numbers = SeededNumbers(seed: 12)
        let words = [
            "bytes", "bytes=", "=", "0", "1", "7", "12", "-", "-", "-", ",", ",", " ", "\t", "9223372036854775807", "x",
            "9223372036854775808", "99999999999999999999", "00", ";", "\u{0}", "\u{e9}", "0-1,", "12-", "-7", ",4-9 ,",
        ]
        var readCount = 0
        for _ in 0..<60_000 {
            var text = Bool.random(using: &numbers) ? "bytes=" : ""
            for _ in 0..<Int.random(in: 0...8, using: &numbers) { text += words.randomElement(using: &numbers) ?? "" }
            let field = RangeField(text)
            if field != nil { readCount += 1 }
            if field?.specs != RangeModel.read(text) { Issue.record("\(text.debugDescription)") }
        }
        #expect(readCount > 1500)
    }
}

/// What ranges mean, by counting bytes one by one and cutting text into pieces.
private enum RangeModel {
    struct Spec {
        var first: Int?
        var last: Int?

        var text: String { "\(first.map(String.init) ?? "")-\(last.map(String.init) ?? "")" }

        init(first: Int?, last: Int?) {
            self.first = first
            self.last = last
        }

        init(using numbers: inout SeededNumbers, limit: Int) {
            let start = Int.random(in: 0...limit, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: self.init(first: start, last: nil)
            case 1: self.init(first: nil, last: start)
            default: self.init(first: start, last: start + Int.random(in: 0...5, using: &numbers))
            }
        }

        func selects(_ position: Int, of byteCount: Int) -> Bool {
            if let first { return position >= first && position <= last ?? position }
            return byteCount - position <= last ?? 0
        }
    }

    /// Every range of numbers from 0 to 6, the invalid ones left out.
    static let smallSpecs: [Spec] = {
        var specs: [Spec] = []
        for number in 0...6 {
            specs += [Spec(first: number, last: nil), Spec(first: nil, last: number)]
            specs += (number...6).map { Spec(first: number, last: $0) }
        }
        return specs
    }()

    static func selection(_ specs: [Spec], of byteCount: Int) -> RangeSelection {
        if byteCount == 0 { return specs.contains { $0.first == nil && $0.last != 0 } ? .whole : .unsatisfiable }
        let isSelected = (0..<byteCount).map { position in specs.contains { $0.selects(position, of: byteCount) } }
        var runs: [Range<Int>] = []
        for position in 0..<byteCount where isSelected[position] {
            if let run = runs.last, run.upperBound == position {
                runs[runs.count - 1] = run.lowerBound..<(position + 1)
            } else {
                runs.append(position..<(position + 1))
            }
        }
        if runs.isEmpty { return .unsatisfiable }
        if runs.count == 1 { return .single(runs[0]) }
        return .multiple(runs.sorted { place(of: $0, specs, byteCount) < place(of: $1, specs, byteCount) })
    }

    /// The first range that selects a byte of `run`.
    private static func place(of run: Range<Int>, _ specs: [Spec], _ byteCount: Int) -> Int {
        specs.firstIndex { spec in run.contains { spec.selects($0, of: byteCount) } } ?? specs.count
    }

    static func read(_ text: String) -> [RangeField.Spec]? {
        guard text.lowercased().hasPrefix("bytes=") else { return nil }
        let elements = text.dropFirst(6).split(separator: ",").map(trimmed).filter { !$0.isEmpty }
        let specs = elements.map(spec)
        guard (1...RangeField.specLimit).contains(specs.count), specs.allSatisfy({ $0 != nil }) else { return nil }
        return specs.compactMap { $0 }
    }

    private static func spec(_ element: Substring) -> RangeField.Spec? {
        let ends = element.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? Int.max }
        if let first = numbers[0] {
            if let last = numbers[1], last < first { return nil }
            return .positions(first: first, last: numbers[1])
        }
        return numbers[1].map { .suffix(byteCount: $0) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
