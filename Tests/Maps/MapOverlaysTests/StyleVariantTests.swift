import JSON
import MapGrammar
import MapStyle
import Testing

@testable import MapOverlays

/// Styles without labels, without points of interest, and in other languages.
@Suite(.timeLimit(.minutes(5))) struct StyleVariantTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    private func document(_ layers: String) throws -> JSONValue {
        try json(
            """
            {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["a"]}}, "layers": [
              {"id": "water", "type": "fill", "source": "s", "source-layer": "water"}, \(layers)]}
            """)
    }

    private func look(_ change: (inout MapLook) -> Void) -> MapLook {
        var look = MapLook()
        change(&look)
        return look
    }

    /// The text of a label of a feature with `properties`, in some languages.
    private func text(_ field: String, _ properties: [String: String], _ languages: [String]) throws -> String {
        let layer =
            #"{"id": "l", "type": "symbol", "source": "s", "source-layer": "p", "layout": {"text-field": \#(field)}}"#
        let look = look { $0.languages = languages }
        let style = try MapAppearance.variant(of: document(layer), look)
        let context = EvaluationContext()
        context.zoom = 10
        context.feature = Feature(values: properties)
        let value = try #require(style.layers.last)[.textField].value(context)
        if case .formatted(let text) = value { return text.text }
        return value.string ?? ""
    }

    private final class Feature: StyleFeature {
        let values: [String: String]

        init(values: [String: String]) { self.values = values }

        var kind: FeatureKind? { .point }
        var id: Value { .null }
        var properties: OrderedObject<Value> {
            var object = OrderedObject<Value>()
            for (name, value) in values { object[name] = .string(value) }
            return object
        }
        var geometry: [[MapStyle.TilePoint]] { [] }

        func property(_ key: PropertyKey) -> Value? { property(named: key.name) }

        func property(named name: String) -> Value? { values[name].map(Value.string) }
    }

    private let florence = [
        "name": "Firenze", "name:en": "Florence", "name_de": "Florenz", "name:latin": "Firenze", "ref": "A1",
    ]
    private let kyiv = ["name": "Київ", "name:latin": "Kyiv", "name:nonlatin": "Київ", "name:ru": "Киев"]

    @Test(arguments: [
        #"["get", "name"]"#, #"["coalesce", ["get", "name"], ["get", "name:latin"], ["get", "name:en"]]"#,
        #""{name}""#, #""{name:latin}\n{name:nonlatin}""#,
        #"["concat", ["get", "name:latin"], "\n", ["get", "name:nonlatin"]]"#,
        #"["case", ["has", "name:nonlatin"], ["concat", ["get", "name:latin"], " ", ["get", "name:nonlatin"]], ["get", "name"]]"#,
        #"["format", ["coalesce", ["get", "name:en"], ["get", "name"]], {"font-scale": 1.2}, "\n", {}, ["get", "pgf:name"], {}]"#,
        #"["step", ["zoom"], "", 5, ["get", "name_en"]]"#, #"{"stops": [[3, "{name_en}"], [8, "{name}"]]}"#,
        #"["to-string", ["coalesce", ["get", "pgf:name"], ["get", "name"]]]"#,
    ])
    func namesAreLookedUpInTheLanguages(_ field: String) throws {
        #expect(try text(field, florence, ["en"]) == "Florence")
        #expect(try text(field, florence, ["de"]) == "Florenz")
        #expect(try text(field, florence, ["pl", "de"]) == "Florenz")
        #expect(try text(field, florence, ["pl"]) == "Firenze")
        #expect(try text(field, kyiv, ["ru"]) == "Киев")
        #expect(try text(field, kyiv, ["it"]) == "Kyiv")
        #expect(try text(field, ["name": "東京"], ["it"]) == "東京")
    }

    @Test(arguments: [
        (#"["get", "ref"]"#, "A1"), (#""{ref}""#, "A1"),
        (#"["concat", ["get", "ref"], " ", ["get", "name"]]"#, "A1 Florence"),
        (#""{ref} {name}""#, "A1 Florence"), (#"["upcase", ["get", "name"]]"#, "FLORENCE"),
        (#"["case", ["has", "ref"], ["get", "ref"], ["get", "name"]]"#, "A1"),
        (#"["coalesce", ["get", "house"], ["get", "name"]]"#, "Florence"),
        (#"["let", "n", ["get", "name"], ["concat", ["var", "n"], "!"]]"#, "Florence!"),
        (#"["match", ["get", "ref"], "A1", ["get", "name"], "none"]"#, "Florence"), (#""© nobody""#, "© nobody"),
    ])
    func whatIsNoNameStays(_ field: String, _ expected: String) throws {
        #expect(try text(field, florence, ["en"]) == expected)
    }

    @Test func dualNamesOfProtomapsBecomeOne() throws {
        let field = """
            ["case", ["all", ["any", ["has", "name"], ["has", "pgf:name"]], ["!", ["has", "name2"]]],
             ["case", ["has", "script"], ["format", ["coalesce", ["get", "name:en"], ["get", "name:en"]], {}, "\\n", {},
               ["case", ["has", "name:en"], ["coalesce", ["get", "pgf:name"], ["get", "name"]], ""], {"text-font": ["literal", ["A"]]}],
              ["format", ["coalesce", ["get", "name:en"], ["get", "pgf:name"], ["get", "name"]], {}]],
             ["format", ["coalesce", ["get", "name:en"], ["get", "name"]], {}, "\\n", {}, ["get", "name2"], {}]]
            """
        #expect(try text(field, florence, ["de"]) == "Florenz")
        #expect(try text(field, kyiv.merging(["script": "Cyrillic"]) { $1 }, ["ru"]) == "Киев")
    }

    @Test func withoutLabelsSymbolsWithTextGo() throws {
        let layers = """
            {"id": "arrow", "type": "symbol", "source": "s", "source-layer": "r", "layout": {"icon-image": "arrow"}},
            {"id": "blank", "type": "symbol", "source": "s", "source-layer": "r", "layout": {"text-field": ""}},
            {"id": "town", "type": "symbol", "source": "s", "source-layer": "p", "layout": {"text-field": "{name}"}},
            {"id": "shield", "type": "symbol", "source": "s", "source-layer": "r",
             "layout": {"text-field": ["get", "ref"], "icon-image": "s"}},
            {"id": "again", "ref": "town", "paint": {"text-color": "red"}}
            """
        let style = try MapAppearance.variant(of: document(layers), look { $0.hasLabels = false })
        #expect(style.layers.map(\.id) == ["water", "arrow", "blank"])
        let whole = try MapAppearance.variant(of: document(layers), MapLook())
        #expect(whole.layers.count == 6)
    }

    private let interests = """
        {"id": "omt", "type": "symbol", "source": "s", "source-layer": "poi", "filter": ["all", ["==", "$type", "Point"], ["has", "name"]],
         "layout": {"text-field": "{name}"}},
        {"id": "protomaps", "type": "circle", "source": "s", "source-layer": "pois", "filter": ["has", "name"]},
        {"id": "plain", "type": "circle", "source": "s", "source-layer": "pois"}
        """

    @Test func interestsGo() throws {
        let style = try MapAppearance.variant(of: document(interests), look { $0.interests = .none })
        #expect(style.layers.map(\.id) == ["water"])
    }

    @Test(arguments: [
        (["kind": "museum"], true), (["pmap:kind": "museum"], true), (["class": "museum"], true),
        (["subclass": "cafe"], true),
        (["class": "bank"], false), ([:], false),
    ])
    func interestsOfSomeClassesStay(_ tags: [String: String], _ isShown: Bool) throws {
        let style = try MapAppearance.variant(
            of: document(interests), look { $0.interests = .only(["cafe", "museum", "cafe"]) })
        let context = EvaluationContext()
        context.feature = Feature(values: tags.merging(["name": "N"]) { $1 })
        for layer in style.layers.dropFirst() { #expect(layer.filter?.accepts(context) == isShown, "\(layer.id)") }
        let none = try MapAppearance.variant(of: document(interests), look { $0.interests = .only([]) })
        for layer in none.layers.dropFirst() { #expect(layer.filter?.accepts(context) == false) }
    }

    @Test func classesThatTheStyleDoesNotShowAreAdded() throws {
        let layers = """
            {"id": "museums", "type": "circle", "source": "s", "source-layer": "pois", "filter": ["all", ["has", "name"],
              ["match", ["coalesce", ["get", "kind"], ["get", "class"], ""], ["museum", "zoo"], true, false]]},
            {"id": "stations", "type": "circle", "source": "s", "source-layer": "pois",
             "filter": ["match", ["get", "kind"], "station", true, false]},
            {"id": "trees", "type": "circle", "source": "s", "source-layer": "pois",
             "filter": ["match", ["get", "leaf"], "broad", true, false]}
            """
        let style = try MapAppearance.variant(
            of: document(layers), look { $0.interests = .only(["cafe", "museum", "station"]) })
        func shown(_ kind: String) -> [String] {
            let context = EvaluationContext()
            context.feature = Feature(values: ["kind": kind, "name": "N"])
            return style.layers.dropFirst().filter { $0.filter?.accepts(context) ?? true }.map(\.id)
        }
        #expect(shown("cafe") == ["museums"])
        #expect(shown("museum") == ["museums"])
        #expect(shown("station") == ["stations"])
        #expect(shown("zoo").isEmpty && shown("bank").isEmpty)
    }

    /// #15.27: `poi=all` was what the style chooses.
    @Test func allClassesAreAll() throws {
        let layers = """
            {"id": "museums", "type": "circle", "source": "s", "source-layer": "pois", "filter": ["all", ["has", "name"],
              ["match", ["coalesce", ["get", "kind"], ["get", "class"], ""], ["museum", "zoo"], true, false]]},
            {"id": "stations", "type": "circle", "source": "s", "source-layer": "pois",
             "filter": ["match", ["get", "kind"], "station", true, false]},
            {"id": "only", "type": "circle", "source": "s", "source-layer": "poi",
             "filter": ["match", ["get", "class"], ["museum"], true, false]}
            """
        let style = try MapAppearance.variant(of: document(layers), look { $0.interests = .all })
        func shown(_ tags: [String: String]) -> [String] {
            let context = EvaluationContext()
            context.feature = Feature(values: tags)
            return style.layers.dropFirst().filter { $0.filter?.accepts(context) ?? true }.map(\.id)
        }
        #expect(shown(["kind": "cafe", "name": "N"]) == ["museums", "only"])
        #expect(shown(["kind": "museum", "name": "N"]) == ["museums", "only"])
        #expect(shown(["kind": "station", "name": "N"]) == ["stations", "only"])
        #expect(shown(["kind": "cafe"]) == ["only"])
    }

    /// Each level asks the next once: a second time, and a hundred levels would never end.
    @Test(arguments: ["coalesce", "concat", "format"]) func namesNestedAHundredDeep_areLookedUpAtOnce(
        _ word: String
    ) throws {
        let field =
            String(repeating: #"["\#(word)", "#, count: 100) + #"["get", "name"]"# + String(repeating: "]", count: 100)
        #expect(try text(field, florence, ["de"]) == "Florenz")
    }

    @Test(arguments: ["light", "dark"]) func builtInStylesTakeEveryLook(_ name: String) throws {
        let map = try #require(try TrialMap.builtIn(name))
        let bare = try MapAppearance.variant(of: map.document, look { $0.hasLabels = false })
        #expect(!bare.layers.isEmpty && bare.layers.allSatisfy { $0.kind != .symbol })
        let quiet = try MapAppearance.variant(of: map.document, look { $0.interests = .none })
        #expect(quiet.layers.contains { $0.kind == .symbol })
        #expect(quiet.layers.allSatisfy { $0.sourceLayer != "pois" && $0.sourceLayer != "poi" })
        let italian = try MapAppearance.variant(of: map.document, look { $0.languages = ["it"] })
        #expect(italian.propertyNames.contains("name:it"))
        #expect(italian.layers.count == (try Style.read(map.document)).layers.count)
    }

    @Test func documentsThatAreNoStylesAreRefused() throws {
        for text in ["[]", "{}", #"{"version": 8, "layers": 5}"#, #"{"version": 8, "layers": [7, {"layout": 3}]}"#] {
            let json = try json(text)
            #expect(throws: StyleFailure.self) {
                try MapAppearance.variant(of: json, look { $0.languages = ["it"] })
            }
        }
    }
}
