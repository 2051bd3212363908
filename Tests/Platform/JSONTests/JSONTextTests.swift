import Foundation
import JSON
import Testing

/// JSON text is what another parser reads back.
@Suite(.timeLimit(.minutes(5))) struct JSONTextTests {
    @Test func everyCharacterBelow128_isReadBack() throws {
        for code in 0..<128 as Range<UInt32> {
            let text = "a\(Unicode.Scalar(code).map(String.init) ?? "")b"
            var json = JSONText()
            json.array { $0.string(text) }
            let read = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String]
            #expect(read == [text], "\(code)")
        }
    }

    @Test func commas_standBetweenAndNowhereElse() {
        var json = JSONText()
        json.object { json in
            json.name("a")
            json.array { _ in }
            json.name("b")
            json.array { json in
                json.number(-1)
                json.object { _ in }
                json.string("x")
            }
            json.name("c")
            json.object { json in
                json.name("d")
                json.number(2)
            }
        }
        #expect(json.text == #"{"a":[],"b":[-1,{},"x"],"c":{"d":2}}"#)
    }
}
