import Bytes
import Cards
import Colors
import ImagePlan
import Parameters
import SeededRandom
import Testing
import TextEngine

@testable import CardPlan

/// Files of templates: all faults at once, by their places; requests that fill them in; and where things are then.
@Suite(.timeLimit(.minutes(5))) struct CardTemplateTests {
    private func template(_ text: String) throws(CardTemplateFaults) -> CardTemplate {
        try CardTemplate.read(Array(text.utf8), name: "test")
    }

    private func faults(_ text: String) -> [String] {
        do throws(CardTemplateFaults) {
            _ = try template(text)
            return []
        } catch {
            return error.faults.map { "\($0.path): \($0.cause)" }
        }
    }

    private func request(_ text: String, _ query: String) throws -> CardRequest {
        try CardRequest.parse(
            QueryItems.parse("template=test&" + query), CardTemplates([try template(text)]))
    }

    // MARK: Files

    @Test func faults_areToldAllAtOnce_byPath() {
        let text = """
            {"width": 5, "hieght": 9, "fields": {"format": {}, "title": {"type": "colour"}, "accent": {"type": "color", "default": "bleu"},
              "n": {"type": "number", "min": 3, "max": 2}, "Big": {}, "both": {"default": "a", "required": true}},
             "background": {"colors": ["fff"]}, "mirror": "accent",
             "elements": [
               {"type": "text", "text": "{titel} {", "size": [40, 20], "weight": "heavy"},
               {"type": "box", "left": 1, "right": 1, "width": 1, "color": "{title}", "border": {"width": 0}},
               {"type": "picture", "fit": "covr", "if": "nothing"}, {"type": "map"}, {"type": "map", "latitude": 99, "longitude": "{accent}"},
               {"type": "stack", "elements": [{"type": "stack", "elements": []}, {"type": "box", "top": 3}]}, 7]}
            """
        let told = faults(text)
        for expected in [
            "width: a whole number", "hieght: it is unknown; did you mean 'height'?", "fields.format: a field has",
            "fields.title.type: ", "fields.accent.default: ", "fields.n.max: ", "fields.Big: ", "fields.both.default: ",
            "background.colors: ", "mirror: a field of type text", "elements[0].text: there is no field 'titel'",
            "elements[0].size: ", "elements[0].weight: ", "elements[1].width: at most two",
            "elements[1].color: a field of type color", "elements[1].border.width: ", "elements[1].border.color: ",
            "elements[2].id: ", "elements[2].fit: ", "did you mean 'cover'?", "elements[2].if: ",
            "elements[3].latitude: ",
            "elements[4].latitude: ", "elements[4].longitude: ", "elements[4]: at most one map",
            "elements[5].elements[0].type: ", "elements[5].elements[1].top: it is unknown",
            "elements[5].elements[1].height: ",
            "elements[6]: an object",
        ] {
            #expect(told.contains { $0.contains(expected) }, "\(expected)\n\(told.joined(separator: "\n"))")
        }
        #expect(faults("[]") == [": an object is expected"])
        #expect(faults("{").count == 1)
        #expect(faults(#"{"elements": []}"#).isEmpty)
    }

    @Test func limits_hold() {
        let many = Array(repeating: #"{"type": "box"}"#, count: 65).joined(separator: ",")
        #expect(faults("{\"elements\": [\(many)]}").contains { $0.contains("at most 64 elements") })
        let pictures = Array(repeating: #"{"type": "picture", "id": "a"}"#, count: 9).joined(separator: ",")
        #expect(faults("{\"elements\": [\(pictures)]}").contains { $0.contains("at most 8 pictures") })
        let fields = (0..<33).map { "\"f\($0)\": {}" }.joined(separator: ",")
        #expect(faults("{\"fields\": {\(fields)}, \"elements\": []}").contains { $0.contains("at most 32 fields") })
        #expect(faults(String(repeating: " ", count: 65 << 10) + "{}").contains { $0.contains("over 65536 bytes") })
        #expect(faults(#"{"fields": {"a": {"limit": 2001}}, "elements": []}"#).count == 1)
    }

    // MARK: Requests

    private static let typed = """
        {"fields": {"title": {"required": true, "limit": 12}, "n": {"type": "number", "min": 0, "max": 9, "default": 4},
          "tint": {"type": "color", "default": "ff0000"}, "size": {"type": "choice", "values": ["small", "large"]}}, "elements": []}
        """

    @Test func canonicalForm_hasFieldsByName_withoutDefaults() throws {
        let asked = try request(
            Self.typed, "n=3.50&title=%20A%20%20b%E2%80%AE&dpr=2&tint=%23F00&size=large&q=70&format=jpeg")
        #expect(asked.canonical == "template=test&n=3.5&size=large&title=A%20b&scale=2&format=jpeg&quality=70")
        let again = try request(Self.typed, String(asked.canonical.dropFirst("template=test&".count)))
        #expect(again.canonical == asked.canonical)
        #expect(try request(Self.typed, "title=a&n=4&size=").canonical == "template=test&title=a")
    }

    @Test func signedForm_needsNoTemplate() throws {
        let items = try QueryItems.parse("title=b&dpr=2&template=x&accent=f00&empty=&q=70&format=jpeg")
        #expect(
            try CardRequest.signedQuery(of: items) == "template=x&accent=f00&title=b&scale=2&format=jpeg&quality=70")
    }

    @Test func faultsOfRequests_nameFields() throws {
        do {
            _ = try request(Self.typed, "n=10&tint=no&size=lrge&titl=x&scale=5")
            Issue.record("it was taken")
        } catch let error as ParameterFaults {
            let told = error.faults.map(\.message).joined(separator: "\n")
            for part in [
                "`n` must be a number from 0 to 9", "`tint` must be a color", "did you mean `large`?",
                "did you mean `title`?", "`scale` must be", "`title` is required",
            ] {
                #expect(told.contains(part), "\(part)\n\(told)")
            }
        }
        #expect(throws: ParameterFaults.self) { try request(Self.typed, "title=abcdefghijklm") }
        #expect(throws: ParameterFaults.self) { try request(Self.typed, "title=%E2%80%8B") }
        // A megabyte, of many characters and of one.
        for (text, count) in [("%F0%9F%98%80", 250_000), ("%CC%81", 500_000)] {
            let huge = "a" + String(repeating: text, count: count)
            #expect(throws: ParameterFaults.self) { try request(Self.typed, "title=\(huge)") }
        }
    }

    // MARK: Layout

    private static let stacked = """
        {"width": 400, "height": 300, "fields": {"a": {"limit": 2000}, "b": {"limit": 2000}, "c": {}, "p": {"type": "picture"}},
         "mirror": "c", "elements": [
          {"type": "stack", "left": 20, "right": 20, "top": 10, "bottom": 10, "gap": 8, "gravity": "middle", "elements": [
            {"type": "text", "text": "{a}", "size": [10, 60], "lines": 4, "weight": "bold"},
            {"type": "picture", "id": "{p}", "width": 50, "height": 40},
            {"type": "text", "text": ["{b}", "by {c}"], "join": " · ", "size": [8, 24], "lines": 3}]}]}
        """

    private func lines(_ scene: CardScene) -> [CardLine] {
        scene.items.compactMap { if case .text(let line) = $0 { line } else { nil } }
    }

    @Test func parts_areLeftOutWhereTheirFieldsAreAbsent() throws {
        func texts(_ query: String) throws -> [String] {
            let scene = CardLayout(try request(Self.stacked, query)).scene(showing: [:], map: nil, BlockMeasure())
            return lines(scene).map {
                String(String.UnicodeScalarView($0.text.compactMap(Unicode.Scalar.init)).dropFirst())
            }
        }
        #expect(try texts("a=One&b=two") == ["One", "two"])
        #expect(try texts("b=two&c=me") == ["two · by me"])
        #expect(try texts("c=me") == ["by me"])
        #expect(try texts("") == [])
    }

    @Test func words_shrinkUntilTheyFit_andEndInDots() throws {
        let short = CardLayout(try request(Self.stacked, "a=Hi")).scene(showing: [:], map: nil, BlockMeasure())
        #expect(lines(short).map(\.font.size) == [60])
        let long = String(repeating: "word ", count: 390)
        let scene = CardLayout(try request(Self.stacked, "a=\(long)&b=\(long)")).scene(
            showing: [:], map: nil, BlockMeasure())
        #expect(lines(scene).allSatisfy { $0.font.size < 60 })
        #expect(lines(scene).count == 7 && lines(scene).last?.text.last == 0x2026)
    }

    /// Hostile texts in fonts of the machine: no line is wider than its box, nothing is below it, and the price covers it.
    @Test(.enabled(if: TestFonts.areThere, "no fonts")) func hostileTexts_stayInTheirBoxes() throws {
        let typesetter = CardTypesetter(fonts: TestFonts.all)
        var generator = SeededGenerator(state: 19)
        let pieces = [
            "a", " ", "Wörter", "مرحبا", "שלום", "नमस्ते", "日本語", "👩‍👩‍👧", "\u{301}\u{301}\u{301}", "\u{202E}", "\u{200D}",
            "-", "/",
            "\u{0F40}\u{0F90}", "W", "i", "\u{FDFD}", "กำ", "\u{00AD}", "﷽", "Donaudampfschifffahrtsgesellschaft",
        ]
        for _ in 0..<300 {
            func words() -> String {
                (0..<Int.random(in: 1...40, using: &generator)).compactMap { _ in
                    pieces.randomElement(using: &generator)
                }.joined()
            }
            var asked = try request(Self.stacked, "")
            for name in ["a", "b", "c"] {
                let text = try? asked.template.field(name)?.parse(String(words().prefix(190)))
                if let text { asked.values[name] = text }
            }
            let layout = CardLayout(asked)
            let scene = layout.scene(showing: [:], map: nil, typesetter)
            for line in lines(scene) {
                let width = typesetter.advances(line.text, isBold: line.font.isBold).reduce(0, +) * line.font.size
                #expect(width <= 361, "\(asked.values)")
                #expect(line.baseline > 10 && line.baseline < 296, "\(line.baseline) \(asked.values)")
            }
            let drawn = scene.predictedCost(at: 1, asked.encoding, as: .jpeg)
            #expect(layout.predictedCost(as: .jpeg).microseconds >= drawn.microseconds, "\(asked.values)")
        }
    }

    @Test func cards_areMirroredForReadersFromTheRight() throws {
        let scene = CardLayout(try request(Self.stacked, "a=One&c=%D8%A3%D9%8A%D9%86")).scene(
            showing: [:], map: nil, BlockMeasure())
        #expect(lines(scene).allSatisfy { $0.anchor == .right && $0.x == 380 })
    }

    @Test func frames_areOfTwoOfThree() throws {
        func rect(_ members: String) throws -> CardRect? {
            let text =
                "{\"width\": 400, \"height\": 200, \"elements\": [{\"type\": \"box\", \(members)\"color\": \"f00\"}]}"
            return try template(text).elements.first?.frame.rect(in: CardRect(x: 0, y: 0, width: 400, height: 200))
        }
        #expect(try rect("") == CardRect(x: 0, y: 0, width: 400, height: 200))
        #expect(
            try rect(#""left": 10, "right": "25%", "bottom": 0, "height": 20, "#)
                == CardRect(x: 10, y: 180, width: 290, height: 20))
        #expect(
            try rect(#""width": "50%", "right": 5, "top": "10%", "#) == CardRect(x: 195, y: 20, width: 200, height: 180)
        )
    }

    @Test func aPictureThatIsNotThere_isAsIfItHadNotBeenGiven() throws {
        let text = """
            {"width": 100, "height": 100, "fields": {"p": {"type": "picture"}},
             "elements": [{"type": "picture", "id": "{p}", "circle": true}, {"type": "box", "unless": "p", "color": "f00"}]}
            """
        let layout = CardLayout(try request(text, "p=a.png&scale=2"))
        #expect(layout.pictures.map(\.size) == [PixelSize(widthPx: 200, heightPx: 200)])
        let there = layout.scene(
            showing: [0: CardLayout.Shown(number: 0, size: PixelSize(widthPx: 200, heightPx: 200))], map: nil,
            BlockMeasure())
        #expect(there.items.count == 1)
        guard case .fill? = layout.scene(showing: [:], map: nil, BlockMeasure()).items.first else {
            Issue.record("no box")
            return
        }
    }

    /// The worst request that any template allows has a price before anything is drawn.
    @Test func worstRequest_hasAPrice() throws {
        let element = #"{"type": "text", "text": "{a}", "size": [4, 400], "lines": 20}"#
        let picture = #"{"type": "picture", "id": "{p}"}"#
        let elements = (Array(repeating: element, count: 56) + Array(repeating: picture, count: 8)).joined(
            separator: ",")
        let text =
            "{\"width\": 2400, \"height\": 2400, \"fields\": {\"a\": {\"limit\": 2000}, \"p\": {\"type\": \"picture\"}}, \"elements\": [\(elements)]}"
        let asked = try request(text, "a=\(String(repeating: "a", count: 2000))&p=x&scale=1.7&format=png")
        let price = CardLayout(asked).predictedCost(as: .png)
        #expect(price.microseconds > 1_000_000 && price.byteCount > 4080 * 4080 * 4)
    }
}
