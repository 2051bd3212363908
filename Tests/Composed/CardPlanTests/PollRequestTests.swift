import Parameters
import Testing

@testable import CardGrammar
@testable import CardPlan

@Suite(.timeLimit(.minutes(5))) struct PollRequestTests {
    private func parsed(_ query: String) throws -> PollRequest { try PollRequest.parse(QueryItems.parse(query)) }

    private func faults(_ query: String) -> [String] {
        do throws(ParameterFaults) {
            _ = try PollRequest.parse(try QueryItems.parse(query))
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }

    private static let two = "option=a&option=b"

    @Test(arguments: [
        ("q=&options=votes:3|a&option=votes:0|b", "option=votes:3%7Ca&option=votes:0%7Cb"),
        ("option=a&option=%20b%20%20c%E2%80%A8d%20", "option=a&option=b%20c%20d"),
        ("option=label:votes:3&option=a%5C%7Cb", "option=label:votes:3&option=a%5C%7Cb"),
        (
            "option=Dinner:%20pizza&option=votes:2|color:red|chosen:1|b",
            "option=Dinner:%20pizza&option=votes:2%7Ccolor:ff0000%7Cchosen:1%7Cb"
        ),
        (
            two + "&w=600&theme=light&format=auto&quality=80&closed=0&sort=given&lang=de",
            two + "&quality=80&language=de"
        ),
        (
            two + "&closes=2026-11-27t18:00:30.25+01:00&now=2026-11-27T15:00Z",
            two + "&closes=2026-11-27T18:00:30%2B01:00&now=2026-11-27T15:00:00Z"
        ),
        (
            "option=icon:b.png|faces:,c.jpg,,|names:Bo,,,%20|Sushi&option=label:icon:b",
            "option=icon:b.png%7Cfaces:,c.jpg%7Cnames:Bo,%7CSushi&option=label:icon:b"
        ),
    ])
    func canonicalText_isTheRequest(_ query: String, _ canonical: String) throws {
        let request = try parsed(query.replacing("|", with: "%7C").replacing("+01", with: "%2B01"))
        #expect(Set(request.canonical.split(separator: "&")) == Set(canonical.split(separator: "&")))
        #expect(try parsed(request.canonical).canonical == request.canonical)
    }

    @Test func faults_areToldAllAtOnce() {
        let messages = faults(
            "widht=3&option=vote:2%7Ca&layout=bar&accent=00000080&multiple=2&closes=2026-02-30T10:00Z&option=b")
        #expect(messages.count == 6)
        #expect(messages[0] == "`widht` is not a parameter here; did you mean `width`?")
        #expect(messages[1].contains("did you mean `votes`?"))
    }

    @Test(arguments: [
        ("", "`option` is required."), ("option=a", "given 2 to 20 times"),
        (Array(repeating: "option=a", count: 21).joined(separator: "&"), "given 2 to 20 times"),
        ("option=votes:-1%7Ca&option=b", "0 to 2⁵³"), ("option=votes:9007199254740993%7Ca&option=b", "0 to 2⁵³"),
        ("option=votes:3&option=b", "options and a label"), ("option=faces:a,b,c,d,e,f%7Ca&option=b", "at most 5"),
        ("option=icon:%7Ca&option=b", "options and a label"), ("option=%E2%80%8B&option=b", "with something to see"),
        (two + "&card=og&width=300", "cannot be combined with `card`"), (two + "&width=1600&scale=2", "at most 2880"),
        ("option=votes:3%7Ca&option=b&voters=2", "at least the 3 votes"),
        ("option=votes:3%7Ca&option=b&multiple=1", "`multiple` needs `voters`"),
        (two + "&now=2026-11-27T15:00Z", "`now` needs"),
        (two + "&question=" + String(repeating: "a", count: 301), "at most 300 characters"),
        (two + "&question=a" + String(repeating: "%CC%81", count: 2000), "at most 300 characters"),
        (two + "&question=" + String(repeating: "%F0%9F%98%80", count: 250_000), "at most 300 characters"),
    ])
    func badRequests_areRefused(_ query: String, _ part: String) {
        #expect(faults(query).contains { $0.contains(part) }, "\(faults(query))")
    }

    @Test func body_hasOptionsAsTextsAndAsObjects() throws {
        let body = """
            {"question": "A?", "option": [{"label": "a|b", "votes": 9007199254740992, "chosen": true}, "votes:2|c"], "width": 300}
            """
        let request = try PollRequest.parse(PollRequest.items(ofBody: Array(body.utf8)))
        #expect(request.options.map(\.label) == ["a|b", "c"])
        #expect(request.options.map(\.votes) == [1 << 53, 2])
        #expect(request.options[0].isChosen && request.widthPx == 300)
    }

    /// They would be labels otherwise.
    @Test func unknownMembersOfAnOption_areRefused_butPassedOverInAFile() throws {
        for option in [#"{"label": "a", "votez": 3}"#, #"{"id": "a"}"#, #"{"label": "a", "note": {"x": 1}}"#] {
            let body = Array(#"{"option": [\#(option), "b"]}"#.utf8)
            let error = try #require(throws: ParameterFaults.self) { try PollRequest.items(ofBody: body) }
            #expect(error.faults.map(\.message).contains { $0.contains("an object with votes, color") }, "\(option)")
        }
        var asked = PollRequest()
        asked.dataID = "poll.json"
        let file = #"{"option": [{"id": 7, "label": "a", "note": {"x": 1}}, "b"], "by": {"name": "Bo"}}"#
        #expect(try asked.filled(with: Array(file.utf8)).options.map(\.label) == ["a", "b"])
    }

    @Test func iconsAndFaces_areNamedByTheRequest_butNotByAFile() throws {
        let body = """
            {"option": [{"label": "a", "icon": "i.png", "faces": ["b.jpg", "", "c.jpg"], "names": ["", "Bo"]}, "d"]}
            """
        let request = try PollRequest.parse(PollRequest.items(ofBody: Array(body.utf8)))
        #expect(request.pictureIDs == ["i.png", "b.jpg", "c.jpg"])
        #expect(request.options[0].faces.map(\.name) == [nil, "Bo", nil])
        var asked = PollRequest()
        asked.dataID = "poll.json"
        let filled = try asked.filled(with: Array(body.utf8))
        #expect(filled.options.map(\.label) == ["a", "d"] && filled.pictureIDs.isEmpty)
        #expect(filled.options.allSatisfy { $0.faces.isEmpty })
    }

    @Test func instants_areComparedAcrossZones() throws {
        let texts = [
            "2026-11-27T18:00+01:00", "2026-11-27T17:00:00Z", "2026-11-27T12:00-05:00", "2026-11-27T17:00 00:00",
        ]
        let moments = try texts.map { text throws in try Moment.parse(text) }
        #expect(Set(moments.map(\.unixSeconds)) == [1_795_798_800])
        #expect(moments[0].shown == "2026-11-27 18:00 +01:00")
        #expect(try Moment.parse("2000-02-29T00:00Z").unixSeconds == 951_782_400)
        for bad in [
            "2026-11-27", "2026-13-01T00:00Z", "2026-11-31T00:00Z", "1900-02-29T00:00Z", "2026-11-27T24:00Z", "x", "",
        ] {
            #expect(throws: Fault.self) { try Moment.parse(bad) }
        }
    }

    @Test(arguments: [
        (CardLanguage.en, [1: "1 vote", 2: "2 votes", 0: "0 votes", 1234: "1,234 votes"]),
        (.fr, [0: "0 vote", 2: "2 votes"]),
        (.pl, [1: "1 głos", 3: "3 głosy", 5: "5 głosów", 12: "12 głosów", 22: "22 głosy", 21: "21 głosów"]),
        (.ru, [1: "1 голос", 21: "21 голос", 3: "3 голоса", 11: "11 голосов", 14: "14 голосов"]),
        (
            .ar,
            [0: "لا أصوات", 1: "صوت واحد", 2: "صوتان", 7: "7 أصوات", 24: "24 صوتًا", 100: "100 صوت", 103: "103 أصوات"]
        ),
        (.hi, [1_234_567: "12,34,567 वोट"]), (.ja, [3: "3票"]), (.de, [1_000_000: "1.000.000 Stimmen"]),
        (.es, [1000: "1000 votos"]),
    ])
    func words_haveTheFormsOfTheirLanguage(_ language: CardLanguage, _ forms: [Int: String]) {
        for (count, text) in forms { #expect(language.votes(count) == text) }
    }

    @Test func timeLeft_isToldOnlyFromAKnownNow() throws {
        func closing(_ more: String) throws -> String? {
            let request = try parsed(Self.two + "&closes=2026-11-27T18:00Z" + more)
            return PollSheet(request, PollFigures(request), width: 600, NoMeasure()).closing?.filter { $0.isASCII }
        }
        #expect(try closing("") == "Closes 2026-11-27 18:00 UTC")
        #expect(try closing("&now=2026-11-27T15:00Z") == "Closes in 3 h")
        #expect(try closing("&now=2026-11-27T17:59:40Z") == "Closes in 1 min")
        #expect(try closing("&now=2026-11-20T15:00Z") == "Closes in 7 d")
        #expect(try closing("&now=2026-11-27T18:00Z") == "Closed")
    }
}

/// Every character is as wide as an em.
struct NoMeasure: TextMeasure {
    func advances(_ text: [UInt32], isBold: Bool) -> [Double] { text.map { _ in 1 } }
    func ink(_ text: [UInt32], isBold: Bool) -> CardRect? { nil }
}
