import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct PlainNumberTests {
    @Test(arguments: [
        ("1.50", "1.5"), ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("007", "7"), (".5", "0.5"), ("-.25", "-0.25"),
        ("3.000000000", "3"), ("0.000000001", "0.000000001"), ("59.935634", "59.935634"),
        ("0.30000000000000004", "0.3"), ("1.9999999996", "2"), ("-1.9999999995", "-2"), ("999999999", "999999999"),
    ])
    func decimalsHaveOneShortestText(given: String, canonical: String) throws {
        let number = try PlainNumber.decimal(given)
        #expect(number.description == canonical)
        #expect(try PlainNumber.decimal(canonical) == number)
    }

    @Test(arguments: [
        "", "-", ".", "-.", "5.", "+1", "1e3", "0x10", "NaN", "inf", "1,5", "1 ", " 1", "1.2.3", "--1", "١", "１", "1٫5",
        "²", "1\u{301}",
    ])
    func whatIsNotAPlainDecimal_isMalformed(text: String) {
        #expect(throws: PlainNumber.Failure.malformed) { try PlainNumber.decimal(text) }
        #expect(throws: PlainNumber.Failure.malformed) { try PlainNumber.int(text) }
    }

    @Test(arguments: [20, 40, 41, 400, 8000])
    func hugeNumbers_areTooLargeWithoutTrapping(digits: Int) {
        let nines = String(repeating: "9", count: digits)
        for text in [nines, "-" + nines, nines + ".5"] {
            #expect(throws: PlainNumber.Failure.tooLarge) { try PlainNumber.decimal(text) }
        }
        #expect(throws: PlainNumber.Failure.tooLarge) { try PlainNumber.int(nines) }
        #expect(throws: PlainNumber.Failure.tooLarge) { try PlainNumber.int("-" + nines) }
        #expect(throws: PlainNumber.Failure.tooLarge) { try PlainNumber.decimal("999999999.9999999996") }
    }

    @Test func integersOutsideTheirRange_areOutOfRange() throws {
        #expect(try PlainNumber.int("8192", in: 1...8192) == 8192)
        for text in ["0", "8193", "-1", "99999999999999999999999"] {
            #expect(throws: ParameterFault.Reason.outOfRange(allowed: "a whole number from 1 to 8192")) {
                try PlainNumber.int(text, in: 1...8192)
            }
        }
    }

    @Test func multiplyingRoundsHalfUp() {
        #expect(PlainDecimal(0.5).multiplied(by: 3) == 2)
        #expect(PlainDecimal(0.5).multiplied(by: -3) == -1)
        #expect(PlainDecimal(-2.4).multiplied(by: 1) == -2)
        #expect(PlainDecimal(-2.6).multiplied(by: 1) == -3)
        #expect(PlainDecimal(33.3).multiplied(by: 1000, dividedBy: 100) == 333)
        #expect(PlainDecimal(2).multiplied(by: 1, dividedBy: 0) == nil)
        #expect(PlainDecimal(999_999_999).multiplied(by: Int.max) == nil)
        #expect(PlainDecimal(1.5).multiplied(by: PlainDecimal(0.5)) == 0.75)
        #expect(PlainDecimal(999_999_999).multiplied(by: PlainDecimal(999_999_999)) == nil)
    }
}
