import Colors
import Colors
import Testing

@Suite(.timeLimit(.minutes(5))) struct ColorTests {
    @Test(arguments: [
        ("f00", "ff0000"), ("#F00", "ff0000"), ("Ff8800", "ff8800"), ("11223380", "11223380"), ("112233ff", "112233"),
        ("11223300", "transparent"), ("transparent", "transparent"), ("TRANSPARENT", "transparent"),
        ("RebeccaPurple", "663399"), ("red", "ff0000"), ("grey", "808080"), ("#abcdef", "abcdef"),
    ])
    func equalColorsHaveOneText(given: String, canonical: String) throws {
        let color = try #require(Color(text: given))
        #expect(color.canonical == canonical)
        #expect(Color(text: canonical) == color)
    }

    @Test(arguments: [
        "", "#", "#red", "ff", "ffff", "fffff", "fffffff", "fffffffff", "##fff", "ggg", "redd", "rgb(0,0,0)", "１２３",
        "0x123", " red",
    ])
    func otherText_isNoColor(text: String) { #expect(Color(text: text) == nil) }

    @Test func longCSSText_isNoColor() {
        let red = Color(red: 255, green: 0, blue: 0)
        let blanks = String(repeating: " ", count: CSSColor.byteLimit - 3)
        #expect(Color(css: "red" + blanks) == red)
        #expect(Color(css: "red " + blanks) == nil)
        #expect(Color(css: String(repeating: " ", count: 950_000)) == nil)
        // The longest numbers that ECMAScript writes.
        let number = "-0.0000012345678901234567"
        #expect(Color(css: "hsla(\(number), \(number)%, \(number)%, \(number))") == Color.transparent)
    }

    @Test func translucentColorsMixWithWhatLiesBehind() {
        #expect(Color.transparent.over(.white) == .white)
        #expect(Color.black.over(.white) == .black)
        #expect(Color(red: 0, green: 0, blue: 0, alpha: 128).over(.white) == Color(red: 127, green: 127, blue: 127))
    }
}
