import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct ColourTests {
    @Test(arguments: [
        ("f00", "ff0000"), ("#F00", "ff0000"), ("Ff8800", "ff8800"), ("11223380", "11223380"), ("112233ff", "112233"),
        ("11223300", "transparent"), ("transparent", "transparent"), ("TRANSPARENT", "transparent"),
        ("RebeccaPurple", "663399"), ("red", "ff0000"), ("grey", "808080"), ("#abcdef", "abcdef"),
    ])
    func equalColoursHaveOneText(given: String, canonical: String) throws {
        let colour = try #require(Colour(text: given))
        #expect(colour.canonical == canonical)
        #expect(Colour(text: canonical) == colour)
    }

    @Test(arguments: [
        "", "#", "#red", "ff", "ffff", "fffff", "fffffff", "fffffffff", "##fff", "ggg", "redd", "rgb(0,0,0)", "１２３",
        "0x123", " red",
    ])
    func otherText_isNoColour(text: String) {
        #expect(Colour(text: text) == nil)
    }

    @Test func translucentColoursMixWithWhatLiesBehind() {
        #expect(Colour.transparent.over(.white) == .white)
        #expect(Colour.black.over(.white) == .black)
        #expect(Colour(red: 0, green: 0, blue: 0, alpha: 128).over(.white) == Colour(red: 127, green: 127, blue: 127))
    }
}
