import JSON
import MapStyle
import Testing

@Suite("Filters", .timeLimit(.minutes(5)))
struct FilterTests {
    private func accepts(
        _ text: String, _ properties: String = "{}", kind: FeatureKind? = nil, id: Value = .null
    ) throws -> Bool {
        let filter = try Filter(JSONReader.read(text), keys: PropertyKeys())
        return filter.accepts(try context(properties, kind: kind, id: id))
    }

    @Test(
        "filters of the old form",
        arguments: [
            ("[\"==\", \"a\", 1]", true), ("[\"==\", \"a\", \"1\"]", false), ("[\"!=\", \"z\", 1]", true),
            ("[\"<\", \"a\", 2]", true),
            ("[\"<\", \"a\", \"2\"]", false), ("[\">=\", \"s\", \"abc\"]", true), ("[\"in\", \"a\", 3, 1]", true),
            ("[\"!in\", \"a\", 3, 1]", false), ("[\"in\", \"a\"]", false), ("[\"has\", \"z\"]", false),
            ("[\"!has\", \"z\"]", true),
            ("[\"==\", \"n\", null]", true), ("[\"==\", \"z\", null]", false), ("[\"has\", \"$id\"]", true),
            ("[\"==\", \"$id\", 7]", true),
            ("[\"==\", \"$type\", \"Point\"]", true), ("[\"in\", \"$type\", \"Polygon\", \"LineString\"]", false),
            ("[\"all\", [\"==\", \"a\", 1], [\"has\", \"s\"]]", true),
            ("[\"any\", [\"==\", \"a\", 2], [\"has\", \"z\"]]", false),
            ("[\"none\", [\"==\", \"a\", 2], [\"has\", \"z\"]]", true), ("[\"all\"]", true), ("[\"any\"]", false),
        ])
    func legacy(text: String, isAccepted: Bool) throws {
        let properties = "{\"a\": 1, \"s\": \"abc\", \"n\": null}"
        #expect(try accepts(text, properties, kind: .point, id: .number(7)) == isAccepted)
    }

    @Test(
        "filters that are expressions",
        arguments: [
            ("true", true), ("[\"==\", [\"get\", \"a\"], 1]", true),
            ("[\"in\", [\"get\", \"a\"], [\"literal\", [1, 2]]]", true),
            ("[\"all\", [\"has\", \"a\"], [\">\", [\"get\", \"a\"], 0]]", true),
            ("[\">\", [\"get\", \"z\"], 0]", false),
            ("[\"match\", [\"get\", \"a\"], [1, 2], true, false]", true), ("[\"boolean\", [\"get\", \"a\"]]", false),
        ])
    func expressions(text: String, isAccepted: Bool) throws {
        #expect(try accepts(text, "{\"a\": 1}") == isAccepted)
    }

    @Test("what is neither is refused with its path")
    func faults() throws {
        func path(_ text: String) throws -> String? {
            let json = try JSONReader.read(text)
            do {
                _ = try Filter(json, keys: PropertyKeys())
                return nil
            } catch {
                return error.issues.first?.path
            }
        }
        #expect(try path("[\"all\", [\"==\", \"a\", 1], [\"in\", 5]]") == "[2]")
        #expect(try path("[\"all\", [\"==\", [\"get\", \"a\"], [\"nope\"]]]") == "[1][2][0]")
        #expect(try path("[\"==\", [\"feature-state\", \"a\"], 1]") == "")
        #expect(try path("5") == "")
    }
}

/// Tests of one property against what is written are compiled apart; they answer what the general form answers.
@Suite("Tests of one property", .timeLimit(.minutes(5)))
struct PropertyTests {
    private static let words = (0..<12).map { "\"w\($0)\"" }.joined(separator: ",")

    @Test(
        "short and general form agree",
        arguments: [
            "{}", "{\"a\": null}", "{\"a\": 1}", "{\"a\": true}", "{\"a\": \"w3\"}", "{\"a\": \"z\"}", "{\"a\": [1]}",
        ],
        ["null", "1", "true", "\"w3\""])
    func equality(properties: String, literal: String) throws {
        for name in ["==", "!="] {
            let short = try evaluate("[\"\(name)\", [\"get\", \"a\"], \(literal)]", properties)
            #expect(try evaluate("[\"\(name)\", \(literal), [\"get\", \"a\"]]", properties) == short)
            #expect(
                try evaluate(
                    "[\"\(name)\", [\"at\", 0, [\"semiliteral\", [[\"get\", \"a\"]]]], \(literal)]", properties)
                    == short)
        }
    }

    @Test(
        "of many words and of few",
        arguments: [("{\"a\": \"w3\"}", true), ("{\"a\": \"w12\"}", false), ("{\"a\": 3}", false), ("{}", false)])
    func words(properties: String, isIn: Bool) throws {
        let many = "[\"in\", [\"get\", \"a\"], [\"literal\", [\(Self.words)]]]"
        #expect(try evaluate(many, properties) == .boolean(isIn))
        #expect(try evaluate("[\"in\", [\"get\", \"a\"], [\"literal\", [\"w3\", null]]]", "{}") == .boolean(true))
        #expect(
            try evaluate("[\"match\", [\"get\", \"a\"], [\(Self.words)], true, false]", properties) == .boolean(isIn))
        #expect(
            try evaluate("[\"match\", [\"get\", \"a\"], [\"w3\", \"w4\"], true, false]", properties) == .boolean(isIn))
        #expect(throws: EvaluationError.self) { try evaluate(many, "{\"a\": [1]}") }
    }
}
