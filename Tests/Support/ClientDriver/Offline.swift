import Foundation
import VedutaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an app does while there may be no network.
enum Offline {
    /// Loads the images of 20 pages, by URLs of plain HTTP, and prints the id that each one's content has.
    static func pages(_ server: URL, keptIn folder: URL) async throws {
        CachingURLProtocol.begin(store: ImageURLCache(folder: folder))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CachingURLProtocol.self]
        let session = URLSession(configuration: configuration)
        for width in 1...20 {
            guard let url = URL(string: "/asset?id=badge.png&width=\(width)&format=png", relativeTo: server) else {
                exit(64)
            }
            let request = URLRequest(url: url.absoluteURL, cachePolicy: .returnCacheDataElseLoad)
            Driver.say("\(width) \(AssetID(contentOf: try await session.picture(for: request).0))")
        }
    }

    /// Makes a draft, loads it at three sizes, cannot send it, prints its URL, and goes on until it is killed.
    static func draft(of file: URL, in folder: URL, for server: VedutaEndpoint) async throws {
        var policy = ClientPolicy()
        policy.connectivity = FixedConnectivity(NetworkPath(isConnected: false))
        let drafts = try Drafts(folder: folder, client: VedutaClient(server, cache: nil, policy: policy))
        let draft = try drafts.add(.file(file))
        for width in [50, 100, 200] {
            let picture = try await drafts.picture(draft.url.size(width: width))
            Driver.say(
                "\(AssetID(contentOf: picture.data)) \(picture.mediaType ?? "") \(picture.fields["veduta-local"] ?? "")"
            )
        }
        do {
            try await draft.send()
            Driver.say("sent")
        } catch VedutaError.noConnection {
            Driver.say("no connection")
        }
        Driver.say(try draft.url.size(width: 100).canonical)
        while true { try await Task.sleep(for: .seconds(1)) }
    }
}
