import Foundation
import Synchronization
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)), .needsServer)
struct DraftTests {
    @Test func draft_isSeenSentAndSeenUnderOneURL() async throws {
        let server = try await TestServer()
        let photo = try await server.plain("/asset?id=lagoon.jpg&width=500&format=png").content
        let file = server.folder.url.appending(path: "photo.png")
        try photo.write(to: file)
        let folder = try server.folder.make("drafts")
        let app = try ChildProcess.driver(
            ["draft", server.service.base.absoluteString, file.path, folder.path],
            log: server.folder.url.appending(path: "app.log"))
        while app.process.isRunning, !app.text.contains("id=") { try await Task.sleep(for: .milliseconds(5)) }
        app.kill()
        app.process.waitUntilExit()
        let lines = app.text.split(separator: "\n").map(String.init)
        let url = AssetURL(AssetID(contentOf: photo)).size(width: 100)
        let seen = "\(contentID(of: photo)) image/png original"
        let shownURL = try url.canonical
        #expect(lines == [seen, seen, seen, "no connection", shownURL])
        // In this process the draft is still there.
        let drafts = try Drafts(folder: folder, client: try server.client())
        let draft = try #require(drafts.all.first)
        #expect(try await drafts.picture(url).data == photo)
        let before = try await server.metric("veduta_requests_total")
        async let first: Void = draft.send()
        async let second: Void = draft.send()
        _ = try await (first, second)
        // HEAD, the upload, and reading the metric.
        #expect(try await server.metric("veduta_requests_total") <= before + 3)
        let shown = try await drafts.picture(url)
        #expect(shown.source == .network && shown.fields["veduta-local"] == nil)
        let plain = try await server.plain("/asset?" + url.canonical, ["accept": ClientPolicy().accept])
        #expect(shown.data == plain.content)
        #expect(drafts.all.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// The second device asks whether the server has it, and reads the metric.
    @Test func draft_ofTwoDevices_isSentOnce() async throws {
        let server = try await TestServer()
        let photo = try await server.plain("/asset?id=lagoon.jpg&width=300&format=png").content
        let devices = try ["one", "two"].map { try Drafts(folder: server.folder.make($0), client: server.client()) }
        let drafts = try devices.map { try $0.add(.data(photo)) }
        let canonical = try drafts.map { try $0.url.canonical }
        #expect(canonical[0] == canonical[1])
        try await drafts[0].send()
        let before = try await server.metric("veduta_requests_total")
        try await drafts[1].send()
        #expect(try await server.metric("veduta_requests_total") <= before + 2)
        for draft in drafts { if case .sent = draft.state {} else { Issue.record("\(draft.state)") } }
    }

    /// Large drafts are sent as resumable uploads.
    @Test func largeDraft_isSentInPieces() async throws {
        let server = try await TestServer()
        let photo = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) + Data(count: 2 << 20)
        let drafts = try Drafts(folder: try server.folder.make("drafts"), client: try server.client())
        let draft = try drafts.add(.data(photo))
        try await draft.send()
        if case .sent = draft.state {} else { Issue.record("\(draft.state)") }
        #expect(try await server.plain("/assets/\(draft.id)/original").content == photo)
    }

    private final class TestConnectivity: Connectivity {
        private let state = Mutex(NetworkPath(isExpensive: true))
        private let stream = AsyncStream.makeStream(of: NetworkPath.self)
        var current: NetworkPath { state.withLock { $0 } }
        var changes: AsyncStream<NetworkPath> { stream.stream }

        func move(to path: NetworkPath) {
            state.withLock { $0 = path }
            stream.continuation.yield(path)
        }
    }

    @Test func drafts_waitForACheapNetwork_ifAsked() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data()))
        let folder = try TestFolder()
        let base = try #require(URL(string: "http://mock.test"))
        let network = TestConnectivity()
        var policy = ClientPolicy()
        policy.connectivity = network
        let client = VedutaClient(VedutaEndpoint(base), cache: nil, transport: mock, policy: policy)
        let drafts = try Drafts(folder: folder.url, client: client, waitsForCheapNetwork: true)
        let draft = try drafts.add(.data(Data("photo".utf8)))
        let sending = Task { try await draft.send() }
        network.move(to: NetworkPath(isConstrained: true))
        try await Task.sleep(for: .milliseconds(50))
        #expect(mock.requests.isEmpty)
        network.move(to: NetworkPath())
        try await sending.value
        #expect(mock.requests.map(\.method) == ["HEAD"])
    }

    private func newDraft(_ transport: any Transport, _ policy: ClientPolicy = ClientPolicy()) throws -> (
        folder: TestFolder, drafts: Drafts, draft: Draft
    ) {
        let folder = try TestFolder()
        let base = try #require(URL(string: "http://mock.test"))
        let client = VedutaClient(VedutaEndpoint(base), cache: nil, transport: transport, policy: policy)
        let drafts = try Drafts(folder: folder.url, client: client, waitsForCheapNetwork: true)
        return (folder, drafts, try drafts.add(.data(Data("photo".utf8))))
    }

    @Test func drafts_areNotSentOverANetworkThatStaysExpensive() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data()))
        var policy = ClientPolicy()
        policy.connectivity = FixedConnectivity(NetworkPath(isExpensive: true))
        let (folder, _, draft) = try newDraft(mock, policy)
        await #expect(throws: VedutaError.self) { try await draft.send() }
        #expect(mock.requests.isEmpty)
        if case .failed(.noConnection) = draft.state {} else { Issue.record("\(draft.state)") }
        withExtendedLifetime(folder) {}
    }

    @Test func sentDraft_isSeenWithoutANetwork() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data()))
        let (folder, drafts, draft) = try newDraft(mock)
        try await draft.send()
        mock.answer("*", with: .fail(.notConnectedToInternet))
        #expect(try await drafts.picture(draft.url).data == Data("photo".utf8))
        withExtendedLifetime(folder) {}
    }

    @Test func draftThatFailed_isSentAgainByWhoHearsOfIt() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .fail(.secureConnectionFailed))
        let (folder, _, draft) = try newDraft(mock)
        let first = Task { try await draft.send() }
        for await state in draft.states {
            if case .failed = state { break }
        }
        mock.answer("*", with: .answer([:], Data()))
        try await draft.send()
        if case .sent = draft.state {} else { Issue.record("\(draft.state)") }
        let failed = await first.result
        #expect(throws: VedutaError.self) { try failed.get() }
        withExtendedLifetime(folder) {}
    }

    @Test func cancelledCaller_leaves_andTheDraftIsSent() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data()))
        let gate = GatedTransport(mock)
        let (folder, _, draft) = try newDraft(gate)
        let first = Task { try await draft.send() }
        while gate.requests.values.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        first.cancel()
        let left = await first.result
        #expect(throws: VedutaError.self) { try left.get() }
        let second = Task { try await draft.send() }
        gate.open()
        try await second.value
        #expect(gate.requests.values.map(\.method) == ["HEAD"])
        withExtendedLifetime(folder) {}
    }

    @Test func equalDrafts_areSentOnce() async throws {
        let mock = VedutaMock()
        mock.answer("/assets/*", with: .problem(404, "asset-not-found"))
        mock.answer(
            "/assets", with: .answer(["content-type": "application/json"], Data(#"{"id":"~x","bytes":1}"#.utf8)))
        let folder = try TestFolder()
        let base = try #require(URL(string: "http://mock.test"))
        let drafts = try Drafts(
            folder: folder.url, client: VedutaClient(VedutaEndpoint(base), cache: nil, transport: mock))
        let source = folder.url.appending(path: "photo.jpg")
        try Data("photo".utf8).write(to: source)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                let draft = try drafts.add(index % 8 == 0 ? .file(source) : .data(Data("photo".utf8)))
                group.addTask { try await draft.send() }
            }
            try await group.waitForAll()
        }
        #expect(mock.requests.filter { $0.method == "POST" }.count == 1)
        #expect(drafts.all.map(\.id) == [AssetID(contentOf: Data("photo".utf8))])
    }
}
