import Foundation
import Testing

@testable import VedutaClient

/// What openapi.yaml shows of the answers of servers is what the models read.
@Suite(.timeLimit(.minutes(5)))
struct ContractExampleTests {
    private func model<Model: Decodable>(_ type: Model.Type, _ schema: String, _ name: String) throws -> Model {
        try VedutaClient.decoded(type, ContractExample.json(schema, name))
    }

    @Test func examples_decodeAndEncodeBack() throws {
        let models: [String: any Codable.Type] = [
            "Description": AssetFacts.self, "MapDescription": MapFacts.self, "PollDescription": PollFacts.self,
            "AssetRecord": AssetRecord.self, "Purged": Purged.self, "Problem": Problem.self,
        ]
        let examples = try ContractExample.all(of: Set(models.keys))
        #expect(Set(examples.map(\.schema)) == Set(models.keys))
        func expectSame<Model: Codable>(_ type: Model.Type, _ example: ContractExample) throws {
            let model = try VedutaClient.decoded(type, example.json)
            let again = try JSONDecoder().decode(JSONMember.self, from: JSONEncoder().encode(model))
            let whole = try JSONDecoder().decode(JSONMember.self, from: example.json)
            #expect(again == whole, "\(example.schema): \(example.name)")
        }
        for example in examples {
            let type = try #require(models[example.schema])
            try expectSame(type, example)
        }
    }

    @Test func description_isRead() throws {
        let facts = try model(AssetFacts.self, "Description", "photo")
        #expect(facts.id == "lake/cat.jpg" && facts.format == "jpeg" && facts.byteCount == 482_113)
        #expect(facts.width == 2400 && facts.height == 1600 && facts.pages == 1 && !facts.hasAlpha)
        #expect(facts.dominantColor == "3a6ea5" && facts.palette == ["3a6ea5", "e8d9b5"])
        #expect(facts.thumbHash?.data.base64EncodedString() == "HQkKHZAwZ3gyiXiFeWd4h6cODpd6")
        #expect(facts.blurHash == "LlHo2Q1ZVrxBR5Q=xaO=R}sqTbm;")
        #expect(facts.focalPoint?.x == 0.62 && facts.focalPoint?.y == 0.35)
        #expect(facts.exif?["cameraModel"]?.string == "X-T5" && facts.exif?["fNumber"]?.number == 2.8)
        #expect(facts.exif?["lensMaker"] == .null && facts.exif?["flashFired"]?.bool == false)
        #expect(facts.extra.keys.sorted() == ["animation", "bands", "bitDepth", "points", "profile", "stored"])
        #expect(facts.extra["stored"]?["orientation"]?.integer == 6)
    }

    @Test func descriptionOfAMap_isRead() throws {
        let facts = try model(MapFacts.self, "MapDescription", "city")
        let canonical = "latitude=43.7696&longitude=11.2558&zoom=12&width=400&height=240&marker=43.7731,11.256"
        #expect(facts.canonical == canonical)
        #expect(facts.center == Coordinate(latitude: 43.7696, longitude: 11.2558) && facts.zoom == 12)
        #expect(facts.width == 400 && facts.height == 240 && facts.metersPerPixel == 27.5986349)
        #expect(facts.attribution == ["Made with Natural Earth"])
        let points = [
            MapFacts.Position(
                coordinate: Coordinate(latitude: 43.7731, longitude: 11.256), x: 200.5825422, y: 105.8822866,
                isVisible: true),
            MapFacts.Position(
                coordinate: Coordinate(latitude: 48.8566, longitude: 2.3522), x: -25733.6146489, y: -21354.0986357,
                isVisible: false),
        ]
        #expect(facts.points == points)
    }

    @Test func descriptionOfAPoll_isRead() throws {
        let facts = try model(PollFacts.self, "PollDescription", "dinner")
        #expect(facts.width == 360 && facts.height == 264 && facts.question == "Dinner?" && facts.votes == 24)
        #expect(facts.alt.hasPrefix("Dinner? Trattoria: 50%, 12 votes."))
        func option(_ label: String, _ votes: Int, percent: Int, y: Double) -> PollFacts.Option {
            PollFacts.Option(label: label, votes: votes, percent: percent, x: 24, y: y, width: 312, height: 44)
        }
        let options = [
            option("Trattoria", 12, percent: 50, y: 64), option("Sushi", 7, percent: 29, y: 116),
            option("At home", 5, percent: 21, y: 168),
        ]
        #expect(facts.options == options)
    }

    @Test func records_areRead() throws {
        let named = try model(AssetRecord.self, "AssetRecord", "replaced")
        #expect(named.id == "lake/cat.jpg" && named.origin == .name && named.byteCount == 482_113)
        #expect(named.mediaType == "image/jpeg" && named.fileName == nil && named.extra.isEmpty)
        #expect(abs((named.created?.timeIntervalSince1970 ?? 0) - 1_795_503_600.25) < 0.001)
        #expect(abs((named.modified?.timeIntervalSince1970 ?? 0) - 1_795_717_805) < 0.001)
        let upload = try model(AssetRecord.self, "AssetRecord", "upload")
        #expect(upload.origin == .upload && upload.fileName == "cat.jpg" && upload.created == upload.modified)
        // The id is the digest.
        let digest = upload.id.rawValue.dropFirst().replacing("-", with: "+").replacing("_", with: "/") + "="
        let bytes = try #require(Data(base64Encoded: String(digest)))
        #expect(upload.sha256 == bytes.map { String(format: "%02x", $0) }.joined())
        #expect(upload.sha256 == named.sha256)
        #expect(try model(Purged.self, "Purged", "two") == Purged(memory: 2, disk: 5))
    }

    @Test func pages_areListedOneAfterTheOther() async throws {
        let mock = VedutaMock()
        let fields: HTTPFields = ["content-type": "application/json"]
        let (first, last) = try (ContractExample.json("AssetPage", "first"), ContractExample.json("AssetPage", "last"))
        mock.answer("/assets?limit=2", with: .answer(fields, first))
        mock.answer("/assets?after=lake%2Fcat.jpg&limit=2", with: .answer(fields, last))
        let base = try #require(URL(string: "http://mock.test"))
        var records: [AssetRecord] = []
        for try await record in VedutaClient(VedutaEndpoint(base), cache: nil, transport: mock).assets(pageSize: 2) {
            records.append(record)
        }
        #expect(
            records.map(\.id.rawValue)
                == ["badge.png", "lake/cat.jpg", "~qL0FF3mWq4VZ2hBE9kJwqk8fIxjzjy6U5kRCB0WkVOs"])
        #expect(records.map(\.origin) == [.folder, .name, .upload])
        #expect(records.first?.sha256 == nil && records.first?.created == nil && records.first?.modified != nil)
        #expect(mock.requests.count == 2)
    }

    /// The builder refuses the request of the example in the same words, before anything is sent.
    @Test func problems_areRead_andTheirFaultsAreThoseOfTheBuilder() throws {
        let problem = try model(Problem.self, "Problem", "faults")
        #expect(problem.name == "invalid-parameters" && problem.status == 400)
        #expect(problem.title == "The request has invalid parameters" && problem.requestID == "2k9q3l1x8z-0-7f")
        #expect(problem.detail == "3 parameters are invalid; see `parameters`.")
        let quality = "a whole number from 1 to 100, or auto with an optional score from 30 to 100, such as auto:70"
        let faults = [
            Fault(
                parameter: "widht", value: "100", message: "`widht` is not a parameter here; did you mean `width`?",
                suggestion: "width"),
            Fault(parameter: "quality", value: "101", message: "`quality` must be \(quality).", allowed: quality),
            Fault(parameter: "id", value: "", message: "`id` is required."),
        ]
        #expect(problem.parameters == faults)
        let url = try #require(URL(string: "asset://?widht=100&quality=101"))
        let error = #expect(throws: VedutaError.self) { try AssetURL(parsing: url) }
        guard case .invalidURL(let own) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(own == faults)
        #expect(try model(Problem.self, "Problem", "missing").name == "asset-not-found")
    }

    // MARK: What servers say

    /// Numbers may differ by what nobody sees.
    private func isAlike(_ one: JSONMember, _ other: JSONMember) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): abs(one - other) < 1e-4
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy { isAlike($0, $1) }
        case (.object(let one), .object(let other)):
            one.count == other.count && one.allSatisfy { isAlike($0.value, other[$0.key] ?? .null) }
        default: one == other
        }
    }

    @Test(.needsServer) func positions_areThoseOfAServer() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let map = try model(MapFacts.self, "MapDescription", "city")
        let url = try MapURL(parsing: #require(URL(string: "map://?" + (map.canonical ?? ""))))
        let told = try await client.mapFacts(url, points: map.points.map(\.coordinate)).members
        #expect(told.keys.sorted() == map.members.keys.sorted())
        // Where the attribution stands depends on the fonts.
        for (name, member) in map.members where name != "boxes" {
            let other = told[name] ?? .null
            #expect(isAlike(member, other), "\(name): \(member), but \(other)")
        }
        let poll = try model(PollFacts.self, "PollDescription", "dinner")
        let options = poll.options.map { PollURL.Option($0.label, votes: $0.votes) }
        let asked = try await client.pollFacts(PollURL("Dinner?", options).width(360))
        #expect(isAlike(.object(poll.members), .object(asked.members)), "\(asked.members)")
    }

    @Test(.needsServer) func otherExamples_haveTheMembersOfAServer() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let facts = try await client.facts(of: "lagoon.jpg").members
        #expect(try model(AssetFacts.self, "Description", "photo").members.keys.sorted() == facts.keys.sorted())
        let photo = try await client.picture(AssetURL("badge.png").size(width: 9).format(.png)).data
        let record = try await client.upload(.data(photo)).members
        #expect(try model(AssetRecord.self, "AssetRecord", "upload").members.keys.sorted() == record.keys.sorted())
        #expect(record["origin"]?.string == "upload")
    }
}
