import Foundation
import SeededRandom
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)))
struct CardURLTests {
    private let lunch = PollURL("Lunch?", [.init("Pizza", votes: 12), .init("Sushi", votes: 7)])

    @Test func avatars_areWrittenInTheCanonicalTextOfTheServer() throws {
        let avatar = AvatarURL(
            .init("anna|b.jpg", name: "Anna Bell", color: "1f6feb"), .init(name: "id:Bo"), .init(seed: "42")
        ).size(96).scale(2).shape(.rounded(16)).layout(.stack).cells(atMost: 5).total(12).gap(percent: 3.5)
            .ring(percent: 4, color: "white").background("navy").fallback(.silhouette, .asset("b.jpg")).initials(
                atMost: 3
            )
            .palette(.colors(["red", "00f"])).status(.away).badge(7).focus(.center).filter(.grayscale).format(.webp)
            .quality(70).download(as: "all")
        #expect(
            try avatar.canonical
                == "person=id:anna%5C%7Cb.jpg%7Ccolor:1f6feb%7CAnna%20Bell&person=name:id:Bo&person=seed:42&size=96"
                + "&scale=2&shape=rounded:16&layout=stack&max=5&total=12&gap=3.5&ring=4:ffffff&background=000080"
                + "&fallback=silhouette,b.jpg&initials=3&palette=ff0000,0000ff&status=away&badge=7&gravity=center"
                + "&filter=grayscale&format=webp&quality=70&download=all")
        #expect(try AvatarURL(parsing: avatar.local).canonical == avatar.canonical)
        #expect(AvatarURL(.init(name: "A")).local(named: "x").absoluteString == "avatar://x/?person=A")
        #expect(
            try AvatarURL(.init(name: "A")).srcset(densities: [1, 2])
                == "/avatar?person=A 1x, /avatar?person=A&scale=2 2x")
    }

    /// The order follows SHA-256, as on the server, which has it from another library.
    @Test func stableOrder_isThatOfTheServer() throws {
        let people: [AvatarURL.Person] = [.init("a.jpg"), .init("b.jpg"), .init("c.jpg")]
        let digests = people.map { SHA256.hex(SHA256.digest(of: Data(($0.id?.rawValue ?? "").utf8))) }
        let expected = zip(digests, people).sorted { $0.0 < $1.0 }.map { "person=id:\($0.1.id?.rawValue ?? "")" }
        for order in [people, people.reversed()] {
            #expect(
                try AvatarURL(order).stableOrder().canonical == (expected + ["order=stable"]).joined(separator: "&"))
        }
    }

    /// The order follows the ids as they are written in the end, so that the canonical text has itself as canonical text.
    @Test func stableOrder_isThatOfIDsInTheirOneSpelling() throws {
        let people = ["HTTPS://H.test", "https://h.test"].map { host in
            (0..<8).map { AvatarURL.Person(AssetID("\(host)/\($0).jpg")) }
        }
        let canonical = try people.map { try AvatarURL($0).stableOrder().canonical }
        #expect(canonical[0] == canonical[1])
        let url = try #require(URL(string: "avatar://?" + canonical[0]))
        #expect(try AvatarURL(parsing: url).canonical == canonical[0])
    }

    @Test func polls_areWrittenInTheCanonicalTextOfTheServer() throws {
        let end = Date(timeIntervalSince1970: 1_795_716_000)
        let poll = PollURL(
            "What|now?",
            [.init("A|b", votes: 3, color: "f80", isChosen: true), .init("votes:9", votes: 4), .init("C\\", votes: 0)]
        ).layout(.donut).width(480).scale(1.5).multiple(voters: 6).closes(end, now: end - 3600).closed().anonymous()
            .sortedByVotes().boldWinner(false).percent(.round).theme(.dark).accent("teal").language(.de)
            .filter(.sepia(40)).format(.avif).quality(60).download(as: "poll")
        #expect(
            try poll.canonical
                == "question=What%7Cnow%3F&option=votes:3%7Ccolor:ff8800%7Cchosen:1%7CA%5C%7Cb"
                + "&option=votes:4%7Clabel:votes:9&option=votes:0%7CC%5C%5C&layout=donut&width=480&scale=1.5&multiple=1"
                + "&voters=6&closes=2026-11-26T18:00:00Z&now=2026-11-26T17:00:00Z&closed=1&anonymous=1&sort=votes"
                + "&winner=none&percent=round&theme=dark&accent=008080&language=de&filter=sepia:40&format=avif&quality=60"
                + "&download=poll")
        #expect(try PollURL(parsing: poll.local).canonical == poll.canonical)
        #expect(
            try PollURL(data: "https://h/poll?a=b").linkPreview().canonical == "data=https://h/poll%3Fa%3Db&card=og")
        #expect(
            try lunch.srcset(densities: [2])
                == "/poll?question=Lunch%3F&option=votes:12%7CPizza&option=votes:7%7CSushi&scale=2 2x")
    }

    @Test func faults_areThrownInTheWordsOfTheServer() throws {
        func faults(_ build: () throws -> String) -> [Fault] {
            let error = #expect(throws: VedutaError.self) { try build() }
            guard case .invalidURL(let faults) = error else { return [] }
            return faults
        }
        let avatar = faults { try AvatarURL(.init(name: "A")).size(4).parameter("shpae", "square").canonical }
        #expect(avatar.map(\.parameter) == ["size", "shpae"])
        #expect(avatar.last?.suggestion == "shape")
        #expect(faults { try AvatarURL([.init(name: "A"), .init()]).canonical }.map(\.parameter) == ["person"])
        #expect(faults { try AvatarURL([]).canonical }.map(\.parameter) == ["person"])
        #expect(faults { try lunch.voters(3).canonical }.map(\.parameter) == ["voters"])
        #expect(faults { try PollURL(nil, [.init("A")]).canonical }.map(\.parameter) == ["option"])
        #expect(faults { try lunch.parameter("data", "x.json").canonical }.map(\.parameter) == ["question", "option"])
    }

    @Test func cards_areSignedInTheirCanonicalForm() throws {
        let key = try URLKey("a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        for built in [try AvatarURL(.init(name: "A")).built, try lunch.built, try lunch.builtDescription] {
            let code = key.credentials(of: "veduta-1\n\(built.path)\n\(built.query)", until: nil)
            #expect(try built.signed(with: key).signature == code)
        }
    }

    @Test func randomCards_areReadBackAsTheyWereBuilt() throws {
        var random = SeededGenerator(state: 21)
        for _ in 0..<1000 {
            let (avatar, poll) = (RandomCardURL.avatar(&random), RandomCardURL.poll(&random))
            #expect(try AvatarURL(parsing: avatar.local).canonical == avatar.canonical)
            #expect(try PollURL(parsing: poll.local).canonical == poll.canonical)
        }
    }
}

@Suite(.timeLimit(.minutes(5)), .needsServer)
struct CardServerTests {
    @Test func cards_areLoadedAndDescribed() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let avatar = AvatarURL(.init("lagoon.jpg"), .init(name: "Bo Li")).size(64).format(.png)
        #expect(try await client.picture(avatar).mediaType == "image/png")
        let poll = PollURL("Lunch?", [.init("Pizza", votes: 12), .init("Sushi", votes: 4)]).width(300).format(.png)
        #expect(try await client.picture(poll).mediaType == "image/png")
        let facts = try await client.pollFacts(poll)
        #expect(facts.width == 300 && facts.question == "Lunch?" && facts.votes == 16 && facts.alt.contains("Pizza"))
        #expect(facts.options.map(\.label) == ["Pizza", "Sushi"])
        #expect(facts.options.map(\.percent) == [75, 25])
        let first = try #require(facts.options.first)
        #expect(first.contains(x: first.x + 1, y: first.y + 1) && !first.contains(x: first.x, y: first.y - 1))
    }

    @Test func attachments_surviveCoding_andAreLoadedByTheirURL() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let map = MapURL(latitude: 1, longitude: 2).size(width: 300, height: 200)
        let poll = PollURL("Lunch?", [.init("Pizza"), .init("Sushi")]).width(300)
        let facts = try await client.facts(of: "lagoon.jpg")
        let (mapFacts, pollFacts) = (try await client.mapFacts(map), try await client.pollFacts(poll))
        let attachments = [
            Attachment(facts, url: AssetURL("lagoon.jpg").size(width: 100)), Attachment(map, mapFacts),
            Attachment(poll, pollFacts),
        ]
        #expect(attachments.map(\.kind) == [.photo, .place, .poll])
        #expect(attachments[0].thumbHash.map { $0.pixels().rgba.isEmpty } == false)
        #expect(attachments[1].ratio == 1.5)
        let read = try Self.coded(attachments)
        #expect(read == attachments)
        for attachment in read {
            let picture = try await client.picture(attachment.url)
            #expect(picture.data.count > 100)
            #expect(attachment.pageCount == 1)
        }
    }

    private static func coded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test func keyedServer_believesSignaturesOfCards() async throws {
        let text = "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
        let server = try await TestServer(["--keys", text])
        let service = VedutaEndpoint(server.service.base, signer: KeySigner(try URLKey(text)))
        let client = VedutaClient(service, cache: try server.newCache())
        let people: [AvatarURL.Person] = ["Anna", "Bo", "Cy", "Di"].map { .init(name: $0) }
        #expect(try await client.picture(AvatarURL(people).stableOrder().format(.png)).mediaType == "image/png")
        let poll = PollURL(nil, [.init("A"), .init("B|c")])
        #expect(try await client.picture(poll).data.count > 100)
        #expect(try await client.pollFacts(poll).options.count == 2)
    }

    /// The refusals of the server and of the builders are the same sentences.
    @Test func refusals_areThoseOfTheServer() async throws {
        let server = try await TestServer()
        let queries = [
            "avatar?size=4", "avatar?person=A&siez=30", "avatar?names=a,b&person=c", "avatar?person=colour:red%7CA",
            "avatar?person=A&shape=rounded:0&ring=3&palette=red,reddish", "avatar?person=A&total=0&max=10",
            "avatar?person=A&scale=4&size=1000", "avatar?person=A&fallback=a,b,c,d,e&quality=auto", "poll?option=A",
            "poll?option=A&option=vote:1%7CB", "poll?option=votes:-1%7CA&option=B", "poll?option=A&option=B&data=x",
            "poll?option=votes:3%7CA&option=B&multiple=1", "poll?option=A&option=B&now=2026-11-27T18:00Z",
            "poll?option=A&option=B&closes=tomorrow&card=og&width=300", "poll?option=A&option=B&layuot=pie&accent=fff0",
            "map?latitude=91&longitude=2", "map?latitude=1&longitude=2&zoom=99&pitch=90", "map?center=1",
            "map?bbox=1,2,3",
            "map?latitude=1&longitude=2&zom=3&scale=9", "map?latitude=1&longitude=2&marker=color:redish%7C1,2",
        ]
        for query in queries {
            let answer = try await server.plain("/" + query)
            let problem = try VedutaClient.decoded(Problem.self, answer.content)
            let local = try #require(URL(string: query.replacing("?", with: "://?")))
            let error = #expect(throws: VedutaError.self, "\(query)") { try local.url(for: server.service) }
            guard case .invalidURL(let faults) = error else { continue }
            #expect(faults.map(\.message) == problem.parameters.map(\.message), "\(query)")
        }
    }

    @Test func randomCards_haveTheCanonicalTextOfTheServer() async throws {
        let server = try await TestServer(["--cost-limit", "600"])
        var random = SeededGenerator(state: ServerTests.seed)
        for _ in 0..<ServerTests.explainedCount {
            let (avatar, poll) = (RandomCardURL.avatar(&random), RandomCardURL.poll(&random))
            #expect(try await canonical(avatar.built, server) == avatar.canonical)
            #expect(try await canonical(poll.built, server) == poll.canonical)
        }
    }

    private func canonical(_ url: BuiltURL, _ server: TestServer) async throws -> String {
        struct Explanation: Decodable {
            let canonical: String
        }
        let answer = try await server.plain(url.target + "&explain=1")
        #expect(answer.status == 200, "\(url.target)")
        return try VedutaClient.decoded(Explanation.self, answer.content).canonical
    }
}

/// Builds requests without faults.
enum RandomCardURL {
    private static let words = ["Anna Bell", "a|b\\", "id:x", "雲 山", "votes:3", " Ünï  ", "علي", "👩‍👧 x", "50%+1&c=d"]

    static func avatar(_ random: inout SeededGenerator) -> AvatarURL {
        func chance() -> Bool { Bool.random(using: &random) }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let people = (0..<number(1...12)).map { _ in
            var person = AvatarURL.Person(name: pick(words))
            if chance() { person.id = pick(["lagoon.jpg", "badge.png", "a|b+c%.jpg"]) }
            if chance() { person.seed = pick(["42", "x|y", "name:z"]) }
            if chance() { person.color = pick(["teal", "#1f6feb", "abc"]) }
            if chance(), person.id != nil || person.seed != nil { person.name = nil }
            return person
        }
        var url = AvatarURL(people)
        if chance() { url = url.size(number(16...128)).scale(Double(number(100...400)) / 100) }
        if chance() { url = url.shape(pick([.circle, .squircle, .square, .rounded(number(1...512))])) }
        if chance() { url = url.layout(pick(AvatarURL.Layout.allCases)) }
        if chance() { url = url.cells(atMost: number(1...9)).total(number(12...999)) }
        if chance() { url = url.stableOrder() }
        if chance() { url = url.gap(percent: Double(number(0...200)) / 10).ring(percent: 2.5, color: "#ff000080") }
        if chance() { url = url.background(pick(["white", "transparent", "12345678"])) }
        if chance() { url = url.fallback(.silhouette).initials(atMost: number(1...3)) }
        if chance() { url = url.fallback(.asset("badge.png"), pick([.retro, .identicon, .shape, .color, .blank])) }
        if chance() { url = url.palette(pick([.calm, .bold, .grey, .colors(["red", "0f0"])])) }
        if chance() { url = url.status(pick(AvatarURL.Status.allCases)).badge(number(0...200)) }
        if chance() { url = url.focus(pick(AvatarURL.Focus.allCases)).filter(.grayscale) }
        if chance() { url = url.format(pick(MapURL.Format.allCases)).quality(number(1...100)) }
        if chance() { url = url.download(as: "a b") }
        return url
    }

    static func poll(_ random: inout SeededGenerator) -> PollURL {
        func chance() -> Bool { Bool.random(using: &random) }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let hasVotes = chance()
        let options = (0..<number(2...8)).map { _ in
            PollURL.Option(
                pick(words), votes: hasVotes && chance() ? number(0...900) : nil, color: pick([nil, "f80", "navy"]),
                isChosen: chance())
        }
        var url = PollURL(pick([nil] + words), options)
        if chance() { url = url.layout(pick(PollURL.Layout.allCases)) }
        url = chance() ? url.width(number(240...700)).scale(Double(number(100...400)) / 100) : url.linkPreview()
        if chance() { url = url.multiple(voters: number(900...2000)) }
        if chance() {
            let end = Date(timeIntervalSince1970: Double(number(0...2_000_000_000)))
            url = url.closes(end, now: pick([nil, end - 7200]))
        }
        if chance() { url = url.closed(chance()).anonymous(chance()) }
        if chance() { url = url.sortedByVotes(chance()).boldWinner(chance()).percent(pick(PollURL.Percent.allCases)) }
        if chance() { url = url.theme(pick([.light, .dark])).accent(pick(["teal", "e11d48"])) }
        if chance() { url = url.language(pick(PollURL.Language.allCases)) }
        if chance() { url = url.filter(.blur(1.5)).download(as: "poll") }
        if chance() { url = url.format(pick(MapURL.Format.allCases)).quality(number(1...100)) }
        return url
    }
}
