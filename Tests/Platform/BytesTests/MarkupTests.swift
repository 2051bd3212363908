import Bytes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MarkupTests {
    @Test func whatMarkupIsMadeOf_isEscaped_inContentAndInBothKindsOfQuotes() {
        #expect(
            Markup.escaped("<a href=\"b\" c='d'>&</a>") == "&lt;a href=&quot;b&quot; c=&#39;d&#39;&gt;&amp;&lt;/a&gt;")
    }

    @Test func whatXMLCannotHold_isLeftOut() {
        #expect(Markup.escaped("a\u{0}\u{1B}\u{FFFE}\u{FFFF}b\t\n🗺") == "ab\t\n🗺")
    }
}
