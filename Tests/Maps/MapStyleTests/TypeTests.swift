import JSON
import MapStyle
import Testing

@Suite("Types of expressions", .timeLimit(.minutes(5)))
struct TypeTests {
    @Test(
        "faults carry the path and the reason",
        arguments: [
            (
                "[]",
                ": Expected an array with at least one element. If you wanted a literal array, use [\"literal\", []]."
            ),
            (
                "[\"+\", 1, [\"nope\"]]",
                "[2][0]: Unknown expression \"nope\". If you wanted a literal array, use [\"literal\", [...]]."
            ),
            ("[\"+\", 1, \"a\"]", "[2]: Expected number but found string instead."),
            ("[\"length\", [\"*\", 1, {}]]", "[1][2]: Bare objects invalid. Use [\"literal\", {...}] instead."),
            ("[\"/\", 1]", ": Expected arguments of type (number, number), but found (number) instead."),
            ("[\"get\"]", ": Expected arguments of type (string) | (string, object), but found () instead."),
            ("[\"at\", 0, [\"literal\", 1]]", "[2]: Expected array but found number instead."),
            ("[\"let\", \"a-b\", 1, 2]", "[1]: Variable names must contain only alphanumeric characters or '_'."),
            (
                "[\"let\", \"a\", 1, [\"var\", \"b\"]]",
                "[3][1]: Unknown variable \"b\". "
                    + "Make sure \"b\" has been bound in an enclosing \"let\" expression before using it."
            ),
            ("[\"match\", [\"get\", \"x\"], [], 1, 2]", "[2]: Expected at least one branch label."),
            ("[\"case\", 1, 2, 3]", "[1]: Expected boolean but found number instead."),
            ("[\"interpolate\", [\"wave\"], 0, 0, 1]", "[1][0]: Unknown interpolation type wave"),
            (
                "[\"step\", 0, 1, \"x\", 2]",
                "[3]: Input/output pairs for \"step\" expressions must be defined using literal numeric values "
                    + "(not computed expressions) for the input values."
            ),
            ("[\"==\", [\"literal\", []], 1]", "[1]: \"==\" comparisons are not supported for type 'array<value, 0>'."),
            ("[\"number\", \"x\"]", ": Expected value to be of type number, but found string instead."),
        ])
    func faults(text: String, issue: String) throws { #expect(try issues(text) == [issue]) }

    @Test("what a property does not allow is refused")
    func property_limits() throws {
        #expect(try issues("[\"get\", \"x\"]") { $0.allowsFeature = false } == [": data expressions not supported"])
        let curve = "[\"interpolate\", [\"linear\"], [\"zoom\"], 0, 0, 1, 1]"
        #expect(try issues(curve) { $0.allowsZoom = false } == [": zoom expressions not supported"])
        #expect(
            try issues(curve) { $0.isInterpolated = false }
                == [": \"interpolate\" expressions cannot be used with this property"])
        #expect(try issues("[\"step\", [\"zoom\"], 0, 1, 1]") { $0.isInterpolated = false } == [])
    }

    @Test("variables of variables do not grow without bound")
    func variables_areBounded() throws {
        var text = "[\"+\", [\"var\", \"a20\"], 0]"
        for level in (1...20).reversed() {
            let previous = level == 1 ? "[\"get\", \"x\"]" : "[\"var\", \"a\(level - 1)\"]"
            text = "[\"let\", \"a\(level)\", [\"concat\", \(previous), \(previous)], \(text)]"
        }
        #expect(
            try issues(text).first?.hasSuffix("Expression is too large when its variables are written out.") == true)
    }

    @Test("constants do not grow without bound either")
    func constants_areBounded() throws {
        var text = "[\"length\", [\"var\", \"a40\"]]"
        for level in (1...40).reversed() {
            let previous = level == 1 ? "\"text\"" : "[\"var\", \"a\(level - 1)\"]"
            text = "[\"let\", \"a\(level)\", [\"concat\", \(previous), \(previous)], \(text)]"
        }
        #expect(
            try issues(text).first?.hasSuffix("Expression is too large when its variables are written out.") == true)
        let list = "[\"split\", \"\(String(repeating: "x", count: 20_000))\", \"\"]"
        let separator = "\"\(String(repeating: "-", count: 1000))\""
        #expect(try issues("[\"join\", \(list), \(separator)]") == [": The text is longer than 16777216 bytes."])
    }

    @Test("as deep as JSON may nest, expressions compile")
    func depth() throws {
        let text = String(repeating: "[\"!\", ", count: 126) + "[\"has\", \"a\"]" + String(repeating: "]", count: 126)
        #expect(try evaluate(text, "{\"a\": 1}") == .boolean(true))
    }

    @Test("what never changes is folded, what does is known")
    func dependence() throws {
        func compiled(_ text: String) throws -> PropertyExpression {
            let specification = PropertySpecification(.any, allowsZoom: true, allowsFeature: true, isInterpolated: true)
            return try PropertyExpression(JSONReader.read(text), for: specification, keys: PropertyKeys())
        }
        #expect(try compiled("[\"+\", 1, [\"*\", 2, 3]]").constant == .number(7))
        #expect(try compiled("[\"has\", \"a\"]").dependence == .feature)
        #expect(try compiled("[\"feature-state\", \"a\"]").isFeatureConstant == false)
        #expect(try compiled("[\"global-state\", \"a\"]").dependence == .globalState)
        #expect(try compiled("[\"image\", \"a\"]").constant == nil)
        let curve = try compiled(
            "[\"interpolate\", [\"exponential\", 2], [\"zoom\"], 3, [\"number\", [\"get\", \"a\"]], 9, 1]")
        #expect(curve.zoomCurve?.stops == [3, 9])
        #expect(curve.zoomCurve?.interpolation == .exponential(base: 2))
        #expect(curve.dependence == [.feature, .zoom])
    }

    @Test("names of properties get slots, each once")
    func keys() throws {
        let keys = PropertyKeys()
        let text = "[\"case\", [\"has\", \"b\"], [\"get\", \"a\"], [\"get\", \"b\"]]"
        let specification = PropertySpecification(.any, allowsFeature: true)
        _ = try PropertyExpression(JSONReader.read(text), for: specification, keys: keys)
        _ = try Filter(JSONReader.read("[\"==\", \"c\", 1]"), keys: keys)
        #expect(keys.names == ["b", "a", "c"])
    }

    @Test("implied conversions of every kind of property")
    func conversions() throws {
        #expect(try evaluate("[\"get\", \"x\"]", "{\"x\": 5}", as: .value(.string)) == .string("5"))
        #expect(
            try evaluate("[\"get\", \"x\"]", "{\"x\": 5}", as: .value(.formatted)) == .formatted(FormattedText("5")))
        #expect(
            try evaluate("[\"literal\", [1, 2]]", as: .value(.padding))
                == .padding(try #require(Padding([1, 2, 1, 2]))))
        #expect(try evaluate("3", as: .value(.padding)) == .padding(try #require(Padding([3]))))
        #expect(try evaluate("[\"get\", \"x\"]", "{\"x\": 5}", as: .value(.numberArray)) == .numbers([5]))
        #expect(
            try evaluate(
                "[\"literal\", [\"top-left\", [1, 2]]]", as: .value(.variableAnchorOffsetCollection))
                != .null)
        #expect(throws: EvaluationError.self) {
            try evaluate("[\"get\", \"x\"]", "{\"x\": \"5\"}", as: .value(.number))
        }
    }
}
