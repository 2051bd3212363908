import Foundation
import VedutaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// 64 loads at a time, of which a third are cancelled within 5 ms, several times over: by the client, or by a session with the protocol.
/// `URLSession.data(for:)` of Linux hangs for ever in it.
struct Storm {
    private enum End: Hashable { case loaded, cancelled, failed(String) }

    private let load: @Sendable (_ width: Int) async throws -> Void

    init(_ service: VedutaEndpoint, by way: String) throws {
        @Sendable func url(_ width: Int) -> AssetURL { AssetURL("badge.png").size(width: width).format(.png) }
        if way == "client" {
            let client = VedutaClient(service, cache: nil)
            load = { _ = try await client.picture(url($0), read: .reloadIgnoringCache, store: .notAllowed) }
        } else {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.install(VedutaClient(service, cache: nil))
            let session = URLSession(configuration: configuration)
            load = { _ = try await session.picture(for: url($0).local) }
        }
    }

    /// How many loads ended in which way.
    func run(rounds: Int) async throws -> String {
        var counts: [End: Int] = [:]
        for round in 0..<rounds {
            await withTaskGroup(of: End.self) { group in
                for index in 0..<64 {
                    group.addTask { await one(index, isCancelled: (index + round) % 3 == 0) }
                }
                for await end in group { counts[end, default: 0] += 1 }
            }
        }
        let (loaded, cancelled) = (counts.removeValue(forKey: .loaded), counts.removeValue(forKey: .cancelled))
        return (["\(loaded ?? 0) loaded", "\(cancelled ?? 0) cancelled"] + counts.map { "\($0.value): \($0.key)" })
            .joined(separator: ", ")
    }

    private func one(_ index: Int, isCancelled: Bool) async -> End {
        let task = Task { try await load(20 + index) }
        if isCancelled {
            try? await Task.sleep(for: .microseconds(80 * index))
            task.cancel()
        }
        switch await task.result {
        case .success: return .loaded
        case .failure(VedutaError.cancelled): return .cancelled
        case .failure(let error):
            return (error as NSError).code == NSURLErrorCancelled ? .cancelled : .failed("\(error)")
        }
    }
}
