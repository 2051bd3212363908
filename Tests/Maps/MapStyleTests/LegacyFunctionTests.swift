import JSON
import MapStyle
import Testing

@Suite("Functions of the old form", .timeLimit(.minutes(5)))
struct LegacyFunctionTests {
    private func value(
        _ text: String, _ properties: String = "{}", zoom: Double = 0,
        _ specification: PropertySpecification = PropertySpecification(
            .value(.number), defaultValue: .number(-1), allowsZoom: true, allowsFeature: true, isInterpolated: true)
    ) throws -> Value {
        let expression = try PropertyExpression(value: JSONReader.read(text), for: specification, keys: PropertyKeys())
        return expression.value(try context(properties, zoom: zoom))
    }

    @Test("over the zoom level")
    func zoom() throws {
        #expect(try value("{\"stops\": [[0, 0], [10, 100]]}", zoom: 5) == .number(50))
        #expect(try value("{\"base\": 2, \"stops\": [[0, 0], [2, 3]]}", zoom: 1) == .number(1))
        #expect(try value("{\"type\": \"interval\", \"stops\": [[3, 7]]}", zoom: 9) == .number(7))
    }

    @Test("over a property, with a default for what does not fit")
    func property() throws {
        let function = "{\"property\": \"p\", \"stops\": [[0, 0], [1, 10]], \"default\": 5}"
        #expect(try value(function, "{\"p\": 0.5}") == .number(5))
        #expect(try value(function, "{\"p\": 1}") == .number(10))
        #expect(try value(function, "{\"p\": \"x\"}") == .number(5))
        #expect(try value("{\"property\": \"p\", \"stops\": [[0, 0], [1, 10]]}", "{}") == .number(-1))
        #expect(
            try value("{\"property\": \"p\", \"type\": \"categorical\", \"stops\": [[\"a\", 3]]}", "{\"p\": \"a\"}")
                == .number(3))
        #expect(
            try value("{\"property\": \"p\", \"type\": \"categorical\", \"stops\": [[\"a\", 3]]}", "{\"p\": \"b\"}")
                == .number(-1))
        #expect(try value("{\"property\": \"p\", \"type\": \"identity\"}", "{\"p\": 8}") == .number(8))
    }

    @Test("over both")
    func both() throws {
        let function = """
            {"property": "p", "stops": [[{"zoom": 0, "value": 0}, 0], [{"zoom": 0, "value": 1}, 1],
            [{"zoom": 1, "value": 0}, 2], [{"zoom": 1, "value": 1}, 3]]}
            """
        #expect(try value(function, "{\"p\": 0.5}", zoom: 0.5) == .number(1.5))
    }

    @Test(
        "tokens in text",
        arguments: [
            ("{name}", "Arno"), ("a {name} b", "a Arno b"), ("{name}{name}", "ArnoArno"), ("{missing}", ""),
            ("plain", "plain"),
            ("{", "{"), ("{}", "{}"), ("{{name}}", "{Arno}"),
        ])
    func tokens(text: String, result: String) throws {
        let specification = PropertySpecification(
            .value(.string), allowsZoom: true, allowsFeature: true, hasTokens: true)
        #expect(try value("\"\(text)\"", "{\"name\": \"Arno\"}", specification) == .string(result))
    }

    @Test("malformed ones are refused", arguments: ["{}", "{\"stops\": []}", "{\"stops\": [[1]]}", "{\"stops\": 1}"])
    func malformed(text: String) { #expect(throws: ExpressionFailure.self) { try value(text) } }
}
