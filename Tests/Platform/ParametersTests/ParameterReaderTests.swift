import Colors
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParameterReaderTests {
    private let table = ParameterTable([
        .init("width", aliases: ["w"]), .init("latitude", aliases: ["lat"]), .init("kind"), .init("on"),
        .init("marker", isRepeatable: true), .init("radius", isBuilt: false), .init("tint"),
    ])

    private func reader(_ query: String) throws -> ParameterReader {
        ParameterReader(try QueryItems.parse(query), table: table)
    }

    private func faults(_ reader: ParameterReader) -> [ParameterFault] {
        do throws(ParameterFaults) {
            try reader.finish()
            return []
        } catch {
            return error.faults
        }
    }

    @Test func typedGettersReadWhatIsGiven() throws {
        var reader = try reader("w=100&lat=-1.50&kind=b&on=1&marker=x&marker=y&tint=%23F00")
        #expect(reader.int("width", 1...200) == 100)
        #expect(reader.decimal("latitude", -90...90) == -1.5)
        #expect(reader.choice("kind", ["a", "b"]) == "b")
        #expect(reader.flag("on") == true)
        #expect(reader.values("marker") { text in text } == ["x", "y"])
        #expect(reader.color("tint") == Color(red: 255, green: 0, blue: 0))
        #expect(faults(reader).isEmpty)
    }

    @Test func emptyValuesAreAbsent() throws {
        var reader = try reader("width=&w=5&kind&radius=")
        #expect(reader.int("width", 1...9) == 5)
        #expect(reader.choice("kind", ["a"]) == nil)
        #expect(!reader.isPresent("kind"))
        #expect(faults(reader).isEmpty)
    }

    @Test func allFaultsComeAtOnceInURLOrder() throws {
        var reader = try reader("on=yes&widht=1&lat=91&w=1&width=2&radius=3&kind=c")
        _ = reader.choice("kind", ["a", "b"])
        _ = reader.decimal("latitude", -90...90)
        _ = reader.flag("on")
        reader.require("marker")
        let found = faults(reader)
        #expect(found.map(\.parameter) == ["on", "widht", "lat", "width", "radius", "kind", "marker"])
        #expect(
            found.map(\.reason) == [
                .malformed(allowed: "0 or 1"), .unknown(suggestion: "width"),
                .outOfRange(allowed: "a number from -90 to 90"), .repeated, .notSupportedYet(allowed: nil),
                .malformed(allowed: "a or b"), .missing,
            ])
        #expect(found[1].message == "`widht` is not a parameter here; did you mean `width`?")
    }

    @Test func misspeltChoicesAreSuggested() throws {
        enum Shape: String, CaseIterable { case circle, square }
        var reader = try reader("kind=drak")
        _ = reader.choice("kind", ["light", "dark"])
        #expect(faults(reader)[0].message == "`kind` must be light or dark; did you mean `dark`?")
        reader = try self.reader("kind=cirle")
        _ = reader.choice("kind", of: Shape.self)
        #expect(faults(reader)[0].message == "`kind` must be circle or square; did you mean `circle`?")
    }

    @Test func ofManyFaultsTheFirstAreTold() throws {
        let slips = (0..<100).map { "widt\($0)=1" }.joined(separator: "&")
        var reader = try reader("on=yes&" + slips)
        _ = reader.flag("on")
        let found = faults(reader)
        #expect(found.map(\.parameter) == ["on"] + (0..<63).map { "widt\($0)" })
        #expect(found.dropFirst().allSatisfy { $0.reason == .unknown(suggestion: "width") })
    }

    @Test func everyReasonHasASentence() {
        let reasons: [ParameterFault.Reason] = [
            .unknown(suggestion: nil), .unknown(suggestion: "width"), .notSupportedYet(allowed: nil),
            .notSupportedYet(allowed: "0"), .repeated, .malformed(allowed: "0"), .outOfRange(allowed: "0"), .missing,
            .conflict(with: ["a", "b"]), .incomplete(without: ["a"]), .badEncoding, .tooManyItems(limit: 1),
        ]
        let messages = reasons.map { ParameterFault(parameter: "p", value: "v", reason: $0).message }
        #expect(Set(messages).count == reasons.count - 1, "malformed and outOfRange read alike")
        #expect(messages.allSatisfy { $0.hasSuffix(".") || $0.hasSuffix("?") })
        #expect(messages[8] == "`p` cannot be combined with `a` and `b`.")
    }

    @Test func shownTextsAreCutAndHarmless() {
        let long = String(repeating: "x", count: 300)
        let fault = ParameterFault(parameter: "a\u{0}\u{202e}b\n", value: long, reason: .missing)
        #expect(fault.parameter == "a\u{fffd}\u{fffd}b\u{fffd}")
        #expect(fault.value.count == 100)
    }

    @Test(arguments: [
        ("widht", "width"), ("Width", "width"), ("wdith", "width"), ("widt", "width"), ("lattitude", "latitude"),
        ("latitdue", "latitude"), ("knd", "kind"),
    ])
    func typingSlips_suggestTheName(given: String, meant: String) {
        #expect(table.suggestion(for: given) == meant)
    }

    @Test(arguments: ["", "x", "zz", "height", "utm_source", "radius", "ki", String(repeating: "width", count: 9)])
    func farNames_suggestNothing(given: String) { #expect(table.suggestion(for: given) == nil) }
}
