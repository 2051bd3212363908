import JSON
import Testing

@Suite("Reading JSON", .timeLimit(.minutes(5)))
struct JSONReaderTests {
    @Test("values of every kind are read, members in order")
    func values_areRead() throws {
        let json = try JSONReader.read(" {\"b\": [1, -2.5e3, true, false, null], \"a\": \"\\u00e9\\n\\ud83d\\ude00\"} ")
        #expect(json.object?.members.map(\.name) == ["b", "a"])
        #expect(json["b"] == .array([.number(1), .number(-2500), .boolean(true), .boolean(false), .null]))
        #expect(json["a"] == .string("é\n😀"))
    }

    @Test("of equal names the last value counts, in objects of every size", arguments: [1, 8, 9, 40])
    func repeatedName_takesLast(count: Int) throws {
        let members = (0..<count).map { "\"n\($0)\": \($0)" }.joined(separator: ",")
        let json = try JSONReader.read("{\(members),\"n0\":\"last\"}")
        #expect(json["n0"] == .string("last"))
        #expect(json.object?.members.count == count)
        #expect(json["n\(count)"] == nil)
    }

    @Test(
        "what is not JSON is refused at its place",
        arguments: [
            ("", JSONError.truncated(offset: 0)), ("[1,]", .unexpected(UInt8(ascii: "]"), offset: 3)),
            ("[1 2]", .unexpected(UInt8(ascii: "2"), offset: 3)), ("{a:1}", .unexpected(UInt8(ascii: "a"), offset: 1)),
            ("01", .malformedNumber(offset: 0)), ("1.", .malformedNumber(offset: 0)),
            ("1e999", .malformedNumber(offset: 0)),
            ("\"\\x\"", .malformedString(offset: 0)), ("\"\n\"", .malformedString(offset: 0)),
            ("\"abc", .truncated(offset: 4)), ("nul", .truncated(offset: 3)),
            ("1 x", .unexpected(UInt8(ascii: "x"), offset: 2)),
            ("-", .malformedNumber(offset: 0)), ("{\"a\" 1}", .unexpected(UInt8(ascii: "1"), offset: 5)),
        ])
    func malformedText_isRefused(text: String, error: JSONError) {
        #expect(throws: error) { try JSONReader.read(text) }
    }

    @Test("bytes that are not UTF-8 are refused, a lone surrogate is replaced")
    func malformedUnicode() throws {
        #expect(throws: JSONError.malformedString(offset: 0)) { try JSONReader.read([0x22, 0xff, 0x22]) }
        #expect(try JSONReader.read("\"\\ud800x\"") == .string("\u{fffd}x"))
    }

    @Test("depth and size are bounded")
    func limits() throws {
        let deep = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
        #expect(throws: JSONError.tooDeep(limit: 128, offset: 128)) { try JSONReader.read(deep) }
        #expect(try JSONReader.read(String(deep.dropFirst().dropLast())).elements?.count == 1)
        #expect(throws: JSONError.tooLarge(limit: 3)) { try JSONReader.read(Array("[12]".utf8), byteLimit: 3) }
    }

    @Test(
        "numbers are written as ECMAScript writes them",
        arguments: [
            ("1", "1"), ("-0.5", "-0.5"), ("1e21", "1e+21"), ("123456789012345680000", "123456789012345680000"),
            ("1e-7", "1e-7"), ("0.000001", "0.000001"), ("-0", "0"), ("1.5e300", "1.5e+300"),
            ("12345.678", "12345.678"),
        ])
    func numbers_asText(number: String, text: String) throws {
        #expect(try JSONReader.read(number).jsonText == text)
    }
}
