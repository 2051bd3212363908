import Foundation
import Testing

@testable import VedutaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)), .needsServer, .serialized)
struct LoadingTests {
    private func newSession(_ server: TestServer) throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.install(server.service, VedutaEndpoint(server.service.base), cache: try server.newCache())
        return URLSession(configuration: configuration)
    }

    @Test func ownSchemes_loadByEveryWay_theBytesOfPlainHTTP() async throws {
        let server = try await TestServer()
        let session = try newSession(server)
        let name = server.service.name
        let accept = ClientPolicy().accept
        let pairs = [
            ("asset://\(name)/?id=lagoon.jpg&width=320&height=200", "/asset?id=lagoon.jpg&width=320&height=200"),
            ("map://\(name)/?latitude=59.935634&longitude=30.325935", "/map?latitude=59.935634&longitude=30.325935"),
            ("avatar://\(name)/?names=Anna,Bo&size=64", "/avatar?names=Anna,Bo&size=64"),
            ("poll://\(name)/?option=A&option=B&width=300", "/poll?option=A&option=B&width=300"),
            ("asset://\(name)/?id=absent.jpg", "/asset?id=absent.jpg"),
            // Without a host they mean the service named `default`.
            ("asset://?id=lagoon.jpg&width=90&height=60", "/asset?id=lagoon.jpg&width=90&height=60"),
            ("map://?latitude=59.935634&longitude=30.325935", "/map?latitude=59.935634&longitude=30.325935"),
        ]
        for (local, target) in pairs {
            let url = try #require(URL(string: local))
            let plain = try await server.plain(target, ["accept": accept])
            let (data, response) = try await session.picture(for: url)
            let http = try #require(response as? HTTPURLResponse)
            #expect(http.statusCode == plain.status)
            #expect(http.url == url)
            if plain.status == 200 {
                #expect(data == plain.content, "\(local)")
                #expect(http.value(forHTTPHeaderField: "ETag") == plain.fields["etag"])
            }
            let delegate = GatheringDelegate()
            let configuration = session.configuration
            let told = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            let gathered = await withCheckedContinuation { continuation in
                delegate.end = { continuation.resume(returning: $0) }
                told.dataTask(with: url).resume()
            }
            told.finishTasksAndInvalidate()
            let handled = await withCheckedContinuation { continuation in
                session.dataTask(with: url) { data, _, _ in continuation.resume(returning: data) }.resume()
            }
            // A problem names its request, and each has its own.
            if plain.status == 200 { #expect(gathered == data && handled == data) }
        }
        session.finishTasksAndInvalidate()
    }

    @Test func cachePolicies_ofRequests_areObeyed() async throws {
        let server = try await TestServer()
        let session = try newSession(server)
        let url = AssetURL("lagoon.jpg").size(width: 90).local(named: server.service.name)
        var request = URLRequest(url: url)
        request.cachePolicy = .returnCacheDataDontLoad
        await #expect(throws: (any Error).self) { try await session.picture(for: request) }
        let first = try await session.picture(for: url).0
        #expect(try await session.picture(for: request).0 == first)
        request.cachePolicy = .reloadRevalidatingCacheData
        let response = try await session.picture(for: request).1 as? HTTPURLResponse
        #expect(response?.value(forHTTPHeaderField: "Cache-Status")?.contains("fwd-status=304") == true)
        session.finishTasksAndInvalidate()
    }

    /// In a process of its own: on Linux a storm by `URLSession.data(for:)` hangs for ever, or ends the process.
    @Test(arguments: ["client", "protocol"]) func stormOfLoadsAndCancellations_ends(_ way: String) async throws {
        let server = try await TestServer()
        let storm = try ChildProcess.driver(
            ["storm", server.service.base.absoluteString, way], log: server.folder.url.appending(path: "storm.log"))
        // Not blocked, so that the limit of the suite ends one that hangs.
        while storm.process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        let counts = storm.text.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        #expect(counts.count == 2 && counts.reduce(0, +) == 3200, "\(storm.text.suffix(4000))")
        #expect(counts.last ?? 0 > 100, "\(storm.text.suffix(4000))")
    }

    @Test func listOfMaps_isLoadedOnce_andThereWithoutTheServer() async throws {
        let server = try await TestServer()
        let folder = try server.folder.make("maps")
        let client = try server.client(cache: ImageURLCache(folder: folder))
        let maps = (0..<30).map { index in
            MapURL(latitude: 59.9, longitude: 30.3 + Double(index)).zoom(4).size(width: 120, height: 80).format(.png)
        }
        for map in maps { #expect(try await client.picture(map).source == .network) }
        let before = try await server.metric("veduta_requests_total")
        for map in maps { #expect(try await client.picture(map, read: .returnCacheDontLoad).source == .memory) }
        // Reading the metric is a request of its own.
        #expect(try await server.metric("veduta_requests_total") <= before + 1)
        server.kill()
        // As in a new process: nothing is in memory.
        let later = try server.client(cache: ImageURLCache(folder: folder))
        for map in maps { #expect(try await later.picture(map, read: .returnCacheElseLoad).source == .disk) }
    }

    /// One attempt each, as further ones would wait.
    @Test func refusalsOfTheServer_areTold() async throws {
        var policy = ClientPolicy()
        policy.attempts = 1
        func refusal(_ body: () async throws -> Void) async -> Problem? {
            do { try await body() } catch VedutaError.problem(let problem) { return problem } catch {
                Issue.record(error)
            }
            return nil
        }
        let server = try await TestServer(["--budget", "1", "--budget-depth", "1", "--upload-limit", "1k"])
        let client = try server.client(policy)
        #expect(await refusal { _ = try await client.picture(AssetURL("absent.jpg")) }?.status == 404)
        #expect(await refusal { _ = try await client.upload(.data(Data(count: 2000))) }?.status == 413)
        var refused: Problem?
        for width in 1...400 where refused == nil {
            refused = await refusal { _ = try await client.picture(AssetURL("lagoon.jpg").size(width: 1000 + width)) }
        }
        #expect(refused?.status == 429)
        #expect(refused?.retryAfter ?? 0 > 0)

        let busy = try await TestServer(["--workers", "1", "--queue", "1"])
        let many = try busy.client(policy)
        let problems = await withTaskGroup(of: Problem?.self, returning: [Problem].self) { group in
            for width in 1...32 {
                group.addTask {
                    await refusal { _ = try await many.picture(AssetURL("lagoon.jpg").size(width: 1000 + width)) }
                }
            }
            return await group.reduce(into: []) { if let problem = $1 { $0.append(problem) } }
        }
        #expect(!problems.isEmpty && problems.allSatisfy { $0.status == 503 && $0.retryAfter ?? 0 > 0 })
    }

    @Test func mapFacts_sayWherePlacesAre() async throws {
        let server = try await TestServer()
        let place = Coordinate(latitude: 59.935634, longitude: 30.325935)
        let map = MapURL(center: place).zoom(8).size(width: 200, height: 100).marker(at: [place], label: "A|\\b")
        let facts = try await server.client().mapFacts(map, points: [place])
        #expect(facts.zoom == 8)
        #expect(facts.points.first?.x.map { Int($0.rounded()) } == 100)
        #expect(facts.points.first?.isVisible == true)
    }

    @Test func pages_areThereInANewProcess_withoutTheServer() async throws {
        let server = try await TestServer()
        let folder = try server.folder.make("kept")
        var walks: [String] = []
        for walk in 0..<2 {
            let app = try ChildProcess.driver(
                ["pages", server.service.base.absoluteString, folder.path],
                log: server.folder.url.appending(path: "walk\(walk)"))
            app.process.waitUntilExit()
            #expect(app.process.terminationStatus == 0, "\(app.text.suffix(2000))")
            walks.append(app.text)
            server.kill()
        }
        #expect(walks[0] == walks[1])
        #expect(Set(walks[0].split(separator: "\n").map { $0.split(separator: " ").last }).count == 20)
    }

    @Test func cachingProtocol_answersWithoutTheServer() async throws {
        let server = try await TestServer()
        let folder = try server.folder.make("kept")
        CachingURLProtocol.begin(store: ImageURLCache(folder: folder))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CachingURLProtocol.self]
        let session = URLSession(configuration: configuration)
        var pages: [(URL, Data)] = []
        for index in 1...20 {
            let url = try server.service.url("/asset?id=badge.png&width=\(index)&format=png")
            pages.append((url, try await session.picture(for: url).0))
        }
        server.kill()
        // As in a new process: nothing is in memory.
        CachingURLProtocol.begin(store: ImageURLCache(folder: folder))
        for (url, page) in pages {
            var request = URLRequest(url: url)
            request.cachePolicy = .returnCacheDataElseLoad
            #expect(try await session.picture(for: request).0 == page)
        }
        session.finishTasksAndInvalidate()
    }

    @Test func cachingProtocol_thatMeetsItself_endsWithOneRequest() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CachingURLProtocol.self]
        let session = URLSession(configuration: configuration)
        let transport = ForwardingTransport(session)
        let folder = try TestFolder()
        CachingURLProtocol.begin(store: ImageURLCache(folder: folder.url), transport: transport)
        let url = try #require(URL(string: "http://loop.test/a.png"))
        await #expect(throws: (any Error).self) { try await session.picture(for: url) }
        #expect(transport.requests.values.count == 1)
        session.finishTasksAndInvalidate()
    }
}

/// Hands each request, fields included, to a session.
private final class ForwardingTransport: Transport {
    let requests = Recorder<HTTPRequest>()
    private let session: URLSession

    init(_ session: URLSession) { self.session = session }

    func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        requests.add(request)
        var sent = URLRequest(url: request.url)
        for (name, value) in request.fields { sent.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.picture(for: sent)
        return HTTPResponse(url: request.url, status: (response as? HTTPURLResponse)?.statusCode ?? 0, content: data)
    }
}

/// Gathers what a session tells its delegate.
private final class GatheringDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Proof for `@unchecked Sendable`: `end` is set before the task begins; the session calls from one queue.
    var end: ((Data) -> Void)?
    private var data = Data()

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { self.data += data }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end?(data)
    }
}
