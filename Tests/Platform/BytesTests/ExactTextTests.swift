import Bytes
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExactTextTests {
    @Test func textsThatOnlyLookTheSame_areTwo() {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(ExactText(composed) != ExactText(decomposed) && ExactText(composed) == "\u{e9}")
        #expect(Set([composed, decomposed, composed].map { ExactText($0) }).count == 2)
    }
}
