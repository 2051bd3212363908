import HTTPMessage
import Testing

/// One request for a part of 100 bytes with the tag `"e"`, last modified at 784111777.
struct RangeRequest: CustomTestStringConvertible, Sendable {
    let fields: [(FieldName, String)]
    let selection: RangeSelection
    let method: Method

    init(_ selection: RangeSelection, _ fields: (FieldName, String)..., method: Method = .get) {
        self.fields = fields
        self.selection = selection
        self.method = method
    }

    var testDescription: String { "\(method) \(fields.map { "\($0): \($1)" }) -> \(selection)" }
}

@Suite(.timeLimit(.minutes(5))) struct RangeSelectionTests {
    private static let part = (FieldName.range, "bytes=0-9")
    private static let first = RangeSelection.single(0..<10)

    static let ranges: [RangeRequest] = [
        RangeRequest(.whole),
        RangeRequest(first, part),
        RangeRequest(.single(90..<100), (.range, "bytes=-10")),
        RangeRequest(.single(90..<100), (.range, "bytes=90-1000")),
        RangeRequest(.single(0..<100), (.range, "bytes=0-")),
        RangeRequest(.single(0..<100), (.range, "bytes=-1000")),
        RangeRequest(.single(99..<100), (.range, "bytes=99-99")),
        RangeRequest(.unsatisfiable, (.range, "bytes=100-")),
        RangeRequest(.unsatisfiable, (.range, "bytes=-0")),
        RangeRequest(.unsatisfiable, (.range, "bytes=100-200,300-,-0")),
        RangeRequest(.unsatisfiable, (.range, "bytes=18446744073709551616-18446744073709551620")),
        RangeRequest(.single(0..<10), (.range, "bytes=0-9,200-")),
        RangeRequest(.multiple([0..<10, 50..<60, 95..<100]), (.range, "bytes=0-9, 50-59, -5")),
        RangeRequest(.multiple([50..<60, 0..<10]), (.range, "bytes=50-59,0-9")),
        RangeRequest(.single(0..<20), (.range, "bytes=0-9,10-19")),
        RangeRequest(.single(0..<20), (.range, "bytes=10-19,0-9")),
        RangeRequest(.multiple([0..<10, 11..<20]), (.range, "bytes=0-9,11-19")),
        RangeRequest(.single(0..<100), (.range, "bytes=0-,0-,0-,-100")),
        RangeRequest(.multiple([40..<70, 0..<5]), (.range, "bytes=60-69,0-4,40-44,43-61")),
        RangeRequest(.whole, (.range, "bytes=5-2")),
        RangeRequest(.whole, (.range, "lines=1-2")),
        RangeRequest(.whole, part, part),
        RangeRequest(.whole, (.range, "bytes=0-1"), (.range, "bytes=4-5")),
        RangeRequest(.whole, part, method: .head),
        RangeRequest(.whole, part, method: .post),
        RangeRequest(.whole, (.range, "bytes=100-"), method: .head),
    ]

    static let conditions: [RangeRequest] = [
        RangeRequest(.whole, (.ifRange, "\"e\"")),
        RangeRequest(first, part, (.ifRange, "\"e\"")),
        RangeRequest(.unsatisfiable, (.range, "bytes=100-"), (.ifRange, "\"e\"")),
        RangeRequest(.whole, (.range, "bytes=100-"), (.ifRange, "\"other\"")),
        RangeRequest(.whole, part, (.ifRange, "\"other\"")),
        RangeRequest(.whole, part, (.ifRange, "W/\"e\"")),
        RangeRequest(.whole, part, (.ifRange, "e")),
        RangeRequest(.whole, part, (.ifRange, "\"e")),
        RangeRequest(.whole, part, (.ifRange, "\"e\"x")),
        RangeRequest(.whole, part, (.ifRange, "")),
        RangeRequest(.whole, part, (.ifRange, "*")),
        RangeRequest(.whole, part, (.ifRange, "\"e\", \"f\"")),
        RangeRequest(.whole, part, (.ifRange, "\"e\""), (.ifRange, "\"e\"")),
        RangeRequest(first, part, (.ifRange, PreconditionsTests.same)),
        RangeRequest(first, part, (.ifRange, "Sunday, 06-Nov-94 08:49:37 GMT")),
        RangeRequest(.whole, part, (.ifRange, PreconditionsTests.earlier)),
        RangeRequest(.whole, part, (.ifRange, PreconditionsTests.later)),
        RangeRequest(.whole, part, (.ifRange, "yesterday")),
    ]

    private func evaluate(
        _ request: RangeRequest, _ validators: Validators, byteCount: Int = 100, now: Int64 = 1_800_000_000
    ) -> RangeSelection {
        var fields = Fields()
        for (name, value) in request.fields { fields.append(name, value) }
        return RangeSelection.evaluate(request.method, fields, validators, byteCount: byteCount, now: now)
    }

    @Test(arguments: ranges + conditions)
    func requestForAPart_getsIt(_ request: RangeRequest) {
        let validators = Validators(entityTag: EntityTag(opaque: "e"), lastModified: 784_111_777)
        #expect(evaluate(request, validators) == request.selection)
    }

    @Test func dateOfTheSecondThatRuns_isWeak() {
        let validators = Validators(entityTag: nil, lastModified: 784_111_777)
        let request = RangeRequest(.whole, Self.part, (.ifRange, PreconditionsTests.same))
        for (age, selection) in [(-1, .whole), (0, .whole), (1, Self.first)] as [(Int64, RangeSelection)] {
            #expect(evaluate(request, validators, now: 784_111_777 + age) == selection, "\(age)")
        }
    }

    @Test func validatorThatIsNotThere_matchesNothing() {
        for value in ["\"e\"", "\"\"", PreconditionsTests.same] {
            let request = RangeRequest(.whole, Self.part, (.ifRange, value))
            #expect(evaluate(request, Validators(entityTag: nil)) == .whole)
        }
        let weak = Validators(entityTag: EntityTag(opaque: "e", isWeak: true))
        for value in ["\"e\"", "W/\"e\""] {
            #expect(evaluate(RangeRequest(.whole, Self.part, (.ifRange, value)), weak) == .whole)
        }
    }

    @Test func emptyRepresentation_hasASuffixAndNothingElse() {
        let validators = Validators(entityTag: nil)
        for (value, selection) in [
            ("bytes=0-", .unsatisfiable), ("bytes=0-0", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=-1", .whole),
            ("bytes=0-,-1", .whole),
        ] as [(String, RangeSelection)] {
            #expect(
                evaluate(RangeRequest(selection, (.range, value)), validators, byteCount: 0) == selection, "\(value)")
        }
    }

    @Test func randomConditions_matchTheirOneSpellingOnly() {
        var numbers = SeededNumbers(seed: 13)
        let words = [
            "\"", "\"", "e", "W/", ",", " ", "*", "\"e\"", "Sun, ", "06 Nov 1994", " 08:49:37 GMT", "\u{0}", "\u{e9}",
        ]
        let validators = Validators(entityTag: EntityTag(opaque: "e"), lastModified: 784_111_777)
        var matchCount = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...4, using: &numbers)).map { _ in
                words.randomElement(using: &numbers) ?? ""
            }
            .joined()
            let isSame = text == "\"e\"" || text == PreconditionsTests.same
            if isSame { matchCount += 1 }
            let expected = isSame ? Self.first : .whole
            let selection = evaluate(RangeRequest(expected, Self.part, (.ifRange, text)), validators)
            if selection != expected { Issue.record("\(text.debugDescription)") }
        }
        #expect(matchCount > 300)
    }
}
