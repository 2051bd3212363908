import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import VedutaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a protocol tells its client, in which order and how often; without a socket.
@Suite(.timeLimit(.minutes(5)))
struct ProtocolCallbackTests {
    @Test func everyCallback_comesAtMostOnce_andNoneAfterTheStop() async throws {
        let mock = VedutaMock()
        let image = VedutaMock.Outcome.answer(["content-type": "image/png"], Data("x".utf8))
        mock.answer("*", with: image, after: .microseconds(300))
        mock.answer("*absent*", with: .fail(.networkConnectionLost), after: .microseconds(300))
        var policy = ClientPolicy()
        policy.attempts = 1
        let base = try #require(URL(string: "http://mock.test"))
        URLSessionConfiguration.ephemeral.install(
            VedutaClient(
                VedutaEndpoint(base, name: "callbacks"), cache: nil, transport: mock, policy: policy))
        var random = SeededGenerator(state: 5)
        var loads: [(told: ToldClient, loading: URLProtocol, isStopped: Bool)] = []
        for index in 0..<400 {
            let told = ToldClient()
            let name = index % 5 == 0 ? "absent" : "a"
            let url = try #require(URL(string: "asset://callbacks/?id=\(name)\(index)"))
            let loading = AssetURLProtocol(request: URLRequest(url: url), cachedResponse: nil, client: told)
            loading.startLoading()
            if index % 3 == 0 {
                try await Task.sleep(for: .microseconds(.random(in: 0...900, using: &random)))
                loading.stopLoading()
                told.stop()
            }
            loads.append((told, loading, index % 3 == 0))
        }
        for (told, _, isStopped) in loads where !isStopped {
            for _ in 0..<10_000 where !told.isOver { try await Task.sleep(for: .milliseconds(1)) }
        }
        for (index, load) in loads.enumerated() {
            let calls = load.told.calls
            let whole = index % 5 == 0 ? ["failed"] : ["response", "data", "finished"]
            #expect(calls == whole || load.isStopped && calls.isEmpty, "\(index): \(calls)")
            #expect(!load.told.wasToldAfterTheStop)
        }
    }

    @Test func loadThatIsCancelledBeforeItBegins_ends() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .stall)
        let base = try #require(URL(string: "http://mock.test"))
        URLSessionConfiguration.ephemeral.install(
            VedutaClient(VedutaEndpoint(base, name: "early"), cache: nil, transport: mock))
        let name = UUID().uuidString
        ProtocolLoad.expect(name)
        defer { ProtocolLoad.forget(name) }
        ProtocolLoad.cancel(name)
        var request = URLRequest(url: try #require(URL(string: "asset://early/?id=a")))
        request.setValue(name, forHTTPHeaderField: ProtocolLoad.loadField)
        let told = ToldClient()
        let loading = AssetURLProtocol(request: request, cachedResponse: nil, client: told)
        loading.startLoading()
        while !told.isOver { try await Task.sleep(for: .milliseconds(1)) }
        #expect(told.calls == ["failed"])
        loading.stopLoading()
    }
}

/// Notes what it is told.
private final class ToldClient: NSObject, URLProtocolClient, Sendable {
    private let state = Mutex<(calls: [String], isStopped: Bool, isLate: Bool)>(([], false, false))

    var calls: [String] { state.withLock { $0.calls } }
    var isOver: Bool { calls.last == "finished" || calls.last == "failed" }
    var wasToldAfterTheStop: Bool { state.withLock { $0.isLate } }

    func stop() { state.withLock { $0.isStopped = true } }

    private func note(_ call: String) {
        state.withLock { state in
            state.calls.append(call)
            if state.isStopped { state.isLate = true }
        }
    }

    func urlProtocol(_ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        note("redirected")
    }
    func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) { note("cached") }
    func urlProtocol(
        _ loading: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        note("response")
    }
    func urlProtocol(_ loading: URLProtocol, didLoad data: Data) { note("data") }
    func urlProtocolDidFinishLoading(_ loading: URLProtocol) { note("finished") }
    func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) { note("failed") }
    func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge) { note("challenge") }
    func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge) { note("cancelled") }
}
