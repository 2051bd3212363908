import Foundation
import SeededRandom
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)), .needsServer)
struct ServerTests {
    @Test func picture_isThatOfPlainHTTP_thenOfTheCache() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let url = AssetURL("lagoon.jpg").size(width: 300)
        let steps = Recorder<Int64>()
        let first = try await client.picture(url, progress: { steps.add($0.byteCount) })
        #expect(steps.values.last == Int64(first.data.count))
        let plain = try await server.plain("/asset?id=lagoon.jpg&width=300", ["accept": client.policy.accept])
        #expect(first.data == plain.content)
        #expect(first.source == .network)
        #expect(first.entityTag == plain.fields["etag"])
        let before = try await server.metric("veduta_requests_total")
        #expect(try await client.picture(url, read: .returnCacheDontLoad).source == .memory)
        let again = try await client.picture(url, read: .reloadRevalidating)
        #expect(again.source == .revalidated)
        #expect(again.data == first.data)
        #expect(try await server.metric("veduta_requests_total") <= before + 2)
    }

    @Test func cacheOnDisk_outlivesTheProcess() async throws {
        let server = try await TestServer()
        let folder = try server.folder.make("kept")
        let url = AssetURL("lagoon.jpg").size(width: 200)
        let first = try await server.client(cache: ImageURLCache(folder: folder)).picture(url)
        let other = try server.client(cache: ImageURLCache(folder: folder))
        let second = try await other.picture(url, read: .returnCacheDontLoad)
        #expect(second.source == .disk)
        #expect(second.data == first.data)
        let renewed = try await other.picture(url, read: .reloadRevalidating)
        #expect(renewed.source == .revalidated)
        #expect(
            try await server.client(cache: ImageURLCache(folder: folder)).picture(url, read: .returnCacheDontLoad).data
                == first.data)
    }

    @Test func problems_areCasesOfTheError() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let error = await #expect(throws: VedutaError.self) { try await client.picture(AssetURL("absent.jpg")) }
        guard case .problem(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.status == 404)
        #expect(problem.name == "asset-not-found")
        #expect(!problem.requestID.isEmpty)
    }

    @Test func refusedUploadsAndDamagedImages_areProblems() async throws {
        let server = try await TestServer(["--upload-limit", "5000"])
        let client = try server.client()
        func problem(_ work: () async throws -> Void) async -> Problem? {
            let error = await #expect(throws: VedutaError.self) { try await work() }
            if case .problem(let problem) = error { return problem }
            Issue.record("\(String(describing: error))")
            return nil
        }
        let large = await problem { _ = try await client.upload(.data(Data(count: 5001))) }
        #expect(large?.status == 413)
        let text = await problem { _ = try await client.upload(.data(Data("text".utf8))) }
        #expect(text?.status == 415)
        let damaged = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) + Data(count: 100)
        let id = try await client.upload(.data(damaged)).id
        let broken = await problem { _ = try await client.picture(AssetURL(id).size(width: 9)) }
        #expect(broken?.status == 422)
        #expect(broken?.requestID.isEmpty == false)
    }

    /// Models keep whatever a server says, and need little of it.
    @Test func answers_decodeAndEncodeBack() async throws {
        let server = try await TestServer()
        try await roundTrip(AssetFacts.self, server.plain("/assets/lagoon.jpg").content)
        try await roundTrip(MapFacts.self, server.plain("/map.json?center=1,2&point=1,2&point=50,60").content)
        try await roundTrip(PollFacts.self, server.plain("/poll.json?option=votes:1%7CA&option=B").content)
        try await roundTrip(Problem.self, server.plain("/asset?id=a&widht=1").content)
        let client = try server.client()
        let photo = try await client.picture(AssetURL("badge.png").size(width: 9).format(.png)).data
        let record = try await client.upload(.data(photo), as: "a.png")
        try roundTrip(AssetRecord.self, JSONEncoder().encode(record))
        #expect(record.extra.isEmpty && record.modified != nil && record.origin == .name)
    }

    private func roundTrip<Model: Codable>(_ type: Model.Type, _ content: Data) throws {
        let whole = try JSONDecoder().decode([String: JSONMember].self, from: content)
        #expect(whole.count > 3)
        func encoded(_ members: [String: JSONMember]) throws -> [String: JSONMember] {
            let model = try VedutaClient.decoded(Model.self, JSONEncoder().encode(members))
            return try JSONDecoder().decode([String: JSONMember].self, from: JSONEncoder().encode(model))
        }
        #expect(try encoded(whole) == whole)
        let required = (Model.self as? any JSONModel.Type)?.required ?? ["type", "status"]
        for name in whole.keys {
            var less = whole
            less[name] = nil
            if required.contains(name) {
                #expect(throws: VedutaError.self, "\(name)") { try encoded(less) }
            } else {
                #expect(throws: Never.self, "\(name)") { try encoded(less) }
            }
        }
        guard Model.self is any JSONModel.Type else { return }
        let more = whole.merging(["invented": .array([.null, .number(1.5)])]) { $1 }
        #expect(try encoded(more) == more)
    }

    /// The refusals of the server and of the builder are the same sentences.
    @Test func refusals_areThoseOfTheServer() async throws {
        let server = try await TestServer()
        let queries = [
            "id=a&width=0", "id=a&widht=3", "id=a&filter=sepa:3", "id=a&quality=auto&format=png", "width=3",
            "id=a&dpi=100&width=3", "id=a&crop=attention", "id=a&width=3&w=4", "id=a&background=reddish",
            "id=a&bytes=1k&lossless=1",
            // The example of openapi.yaml.
            "widht=100&quality=101",
        ]
        for query in queries {
            let answer = try await server.plain("/asset?" + query)
            let problem = try VedutaClient.decoded(Problem.self, answer.content)
            let local = try #require(URL(string: "asset://?" + query))
            let error = #expect(throws: VedutaError.self) { try AssetURL(parsing: local) }
            guard case .invalidURL(let faults) = error else { continue }
            #expect(faults.map(\.message) == problem.parameters.map(\.message), "\(query)")
        }
    }

    /// How many random requests each test compares; `scripts/conformance client` asks for more.
    static let explainedCount = ProcessInfo.processInfo.environment["VEDUTA_EXPLAINED"].flatMap { Int($0) } ?? 40
    static let seed = ProcessInfo.processInfo.environment["VEDUTA_SEED"].flatMap { UInt64($0) } ?? 19

    @Test func randomRequests_haveTheCanonicalTextOfTheServer() async throws {
        struct Explanation: Decodable { let canonical: String }
        let server = try await TestServer(["--cost-limit", "600"])
        let photo = try await server.plain("/asset?id=lagoon.jpg&width=400&format=jpeg").content
        _ = try await server.client().upload(.data(photo), as: "a b+c%.jpg")
        let count = Self.explainedCount
        var random = SeededGenerator(state: Self.seed)
        var compared = 0
        for _ in 0..<count {
            let url = RandomAssetURL.make(&random)
            let answer = try await server.plain("/asset?" + url.canonical + "&explain=1")
            // What the builder lets through, the parser of the server does too.
            #expect(answer.status != 400, "\(url.local)")
            guard answer.status == 200 else { continue }
            compared += 1
            let canonical = try VedutaClient.decoded(Explanation.self, answer.content).canonical
            #expect(try canonical.replacing("&explain=1", with: "") == url.canonical)
        }
        #expect(compared * 100 >= count * 95)
    }

    @Test func library_isListedDescribedChangedAndPurged() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let photo = try await client.picture(AssetURL("badge.png").size(width: 64).format(.png))
        let record = try await client.upload(.data(photo.data))
        #expect(record.id == AssetID(contentOf: photo.data))
        #expect(record.byteCount == photo.data.count)
        let named = try await client.upload(.data(photo.data), as: "marks/ü 1.png")
        #expect(named.id == "marks/ü 1.png")
        let error = await #expect(throws: VedutaError.self) {
            try await client.upload(.data(photo.data), as: "marks/ü 1.png")
        }
        if case .problem(let problem) = error { #expect(problem.status == 412) } else { Issue.record("no problem") }
        var ids: [AssetID] = []
        for try await asset in client.assets(pageSize: 2) { ids.append(asset.id) }
        #expect(ids.contains(record.id) && ids.contains(named.id) && ids.contains("lagoon.jpg"))
        let facts = try await client.facts(of: named.id)
        #expect(facts.width == 64 && facts.format == "png")
        #expect(facts.thumbHash.map { $0.pixels().rgba.count > 0 } == true)
        #expect(facts.extra["bands"] != nil)
        _ = try await client.purge(.asset(named.id))
        try await client.remove(named.id)
        await #expect(throws: VedutaError.self) { try await client.facts(of: named.id, read: .reloadIgnoringCache) }
    }

    @Test func cancelledRender_isStoppedOnTheServer() async throws {
        let server = try await TestServer(["--cost-limit", "3600", "--render-timeout", "600"])
        let client = try server.client()
        // Far more work than any machine ends while this test waits for a thread.
        let large = AssetURL("lagoon.jpg").size(width: 4000).enlarge().format(.png)
        let url = (0..<8).reduce(large) { url, _ in url.filter(.median(10)) }
        let task = Task { try await client.picture(url) }
        for _ in 0..<2000 {
            if try await server.metric("veduta_jobs_running") > 0 { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        let result = await task.result
        #expect(throws: VedutaError.self) { try result.get() }
        var cancelled = 0.0
        for _ in 0..<2000 where cancelled == 0 {
            try await Task.sleep(for: .milliseconds(50))
            cancelled = try await server.metric("veduta_cancelled_renders_total")
        }
        #expect(cancelled > 0)
    }

    @Test func resumableUpload_makesAnAsset() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let photo = try await client.picture(AssetURL("lagoon.jpg").size(width: 600).format(.png))
        let file = server.folder.url.appending(path: "large.png")
        try photo.data.write(to: file)
        let record = try await client.resumableUpload(file, chunk: 50_000).finish()
        #expect(record.id == AssetID(contentOf: photo.data))
        #expect(!FileManager.default.fileExists(atPath: file.path + ".veduta-upload"))
    }

    @Test func download_goesOnWhereItStopped() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let whole = try await server.plain("/assets/lagoon.jpg/original")
        let file = server.folder.url.appending(path: "original.jpg")
        let source = try client.original(of: "lagoon.jpg")
        try whole.content.prefix(10_000).write(to: file.appendingPathExtension("part"))
        let note =
            #"{"url":"\#(source.absoluteString)","validator":\#(String(reflecting: whole.fields["etag"] ?? ""))}"#
        try Data(note.utf8).write(to: URL(filePath: file.path + ".part.json"))
        let positions = Recorder<Int64>()
        try await client.download(source, to: file) { positions.add($0.byteCount) }
        #expect(try Data(contentsOf: file) == whole.content)
        #expect((positions.values.first ?? 0) > 10_000)
        #expect(!FileManager.default.fileExists(atPath: file.path + ".part.json"))
    }

    @Test func download_beginsAgainWhereTheImageHasChanged() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let whole = try await server.plain("/assets/lagoon.jpg/original")
        let file = server.folder.url.appending(path: "original.jpg")
        let source = try client.original(of: "lagoon.jpg")
        try Data("something else".utf8).write(to: file.appendingPathExtension("part"))
        try Data(#"{"url":"\#(source.absoluteString)","validator":"\"other\""}"#.utf8).write(
            to: URL(filePath: file.path + ".part.json"))
        try await client.download(source, to: file)
        #expect(try Data(contentsOf: file) == whole.content)
    }
}
