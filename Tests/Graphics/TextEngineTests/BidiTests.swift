import Testing

@testable import TextEngine

@Suite(.timeLimit(.minutes(5))) struct BidiTests {
    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    private func drawn(_ text: String, ends: [Int]? = nil) -> [String] {
        let characters = scalars(text)
        return Bidi.visualLines(characters, ends: ends ?? [characters.count]).map { line in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: line.compactMap { Unicode.Scalar($0.character) })
            return String(view)
        }
    }

    @Test func latinStaysAsItIs() {
        #expect(drawn("abc (d)") == ["abc (d)"])
        #expect(drawn("ab cd", ends: [3, 5]) == ["ab ", "cd"])
    }

    @Test func hebrewIsTurned_withItsBracketsMirrored() {
        #expect(drawn("\u{5D0}\u{5D1}(\u{5D2})") == ["(\u{5D2})\u{5D1}\u{5D0}"])
    }

    @Test func numbersAndLatinKeepTheirDirectionInArabic() {
        #expect(drawn("\u{627} 12 b") == ["b 12 \u{627}"])
        #expect(drawn("a \u{627}\u{628} b") == ["a \u{628}\u{627} b"])
    }

    @Test func linesAreTurnedByThemselves() {
        #expect(drawn("\u{5D0}\u{5D1} \u{5D2}", ends: [3, 4]) == [" \u{5D1}\u{5D0}", "\u{5D2}"])
    }

    @Test func laterLinesHaveTheDirectionOfTheirParagraph() {
        #expect(drawn("x\n\u{5D0} ab \u{5D2}", ends: [4, 8]) == ["x\n", " \u{5D0}", "\u{5D2} ab"])
    }

    @Test func paragraphsHaveDirectionsOfTheirOwn() {
        #expect(drawn("\u{5D0}1\nb\u{5D1}") == ["\n1\u{5D0}", "b\u{5D1}"])
    }

    @Test func marksThatSteerAreNotDrawn() {
        #expect(drawn("a\u{202E}bc\u{202C}d") == ["acbd"])
        #expect(drawn("a\u{200D}b") == ["ab"])
    }

    @Test func runsFollowEachOtherFromTheLeft() {
        let runs = Bidi.visualRuns(scalars("ab \u{5D0}\u{5D1} c"), ends: [7])
        #expect(
            runs == [
                [
                    Bidi.Run(range: 0..<3, isRightToLeft: false), Bidi.Run(range: 3..<5, isRightToLeft: true),
                    Bidi.Run(range: 5..<7, isRightToLeft: false),
                ]
            ])
    }

    @Test func arabicLettersTakeTheFormsOfTheirPlaces() {
        #expect(Bidi.arabicForms(scalars("abc")) == nil)
        #expect(Bidi.arabicForms(scalars("\u{645}\u{62C}\u{62A}"))?.map(\.character) == [0xFEE3, 0xFEA0, 0xFE96])
        // Alef does not join what follows.
        #expect(Bidi.arabicForms(scalars("\u{627}\u{628}"))?.map(\.character) == [0xFE8D, 0xFE8F])
        // A vowel between joined letters stands on a stroke.
        #expect(Bidi.arabicForms(scalars("\u{628}\u{64E}\u{628}"))?.map(\.character) == [0xFE91, 0xFE77, 0xFE90])
    }

    @Test func vowelsInARow_standBetweenTheSameLetters() {
        let forms = Bidi.arabicForms(scalars("\u{628}\u{64E}\u{651}\u{628}\u{64E}"))
        #expect(forms?.map(\.character) == [0xFE91, 0xFE77, 0xFE7D, 0xFE90, 0xFE76])
    }

    @Test func lamAndAlefBecomeOne() {
        let forms = Bidi.arabicForms(scalars("\u{633}\u{644}\u{627}\u{645}"))
        #expect(forms?.map(\.character) == [0xFEB3, 0xFEFC, 0xFEE1])
        #expect(Bidi.arabicForms(scalars("\u{644}\u{627}"))?.count == 1)
    }
}
