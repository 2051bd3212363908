import Bytes
public import Foundation
import Parameters

/// What is uploaded.
public enum UploadContent: Sendable {
    /// Bytes.
    case data(Data)
    /// The bytes of a file.
    case file(URL)

    var httpContent: HTTPRequest.Content {
        switch self {
        case .data(let data): .data(data)
        case .file(let file): .file(file)
        }
    }

    /// nil where the file cannot be read.
    var data: Data? {
        switch self {
        case .data(let data): data
        case .file(let file): try? Data(contentsOf: file, options: .mappedIfSafe)
        }
    }
}

/// What becomes of an asset that has the name of an upload.
public enum Replace: Sendable, Hashable {
    /// It stays, and the upload is refused.
    case ifAbsent
    /// It is replaced if its original has this entity tag, with its quotes.
    case matching(String)
    /// It is replaced.
    case always
}

/// What a purge forgets.
public enum Purge: Sendable, Hashable {
    /// All images of an asset.
    case asset(AssetID)
    /// One image, by its key of `Cache-Status`.
    case key(String)
    /// Everything.
    case everything
}

extension VedutaClient {
    /// The path of an asset, as signatures cover it.
    func target(of id: AssetID) -> String { AssetAddress.path(id.rawValue) }

    /// The description of an asset: size, colors, placeholders. It is cached and revalidated as images are.
    public func facts(of id: AssetID, read: ReadPolicy = .useProtocol) async throws -> AssetFacts {
        try await described(AssetFacts.self, at: target(of: id), read: read)
    }

    /// The JSON at `target`, through the cache.
    func described<Model: JSONModel>(
        _ type: Model.Type, at target: String, read: ReadPolicy = .useProtocol
    ) async throws -> Model {
        let loading = Loading(
            url: try service.url(try service.signed(target)), read: read, mediaType: "application/json")
        let loaded = try await load(loading)
        try HTTPResponse(loaded).check()
        return try Self.decoded(type, loaded.response.content)
    }

    /// All assets, in the order of the bytes of their ids, page by page as they are iterated over.
    public func assets(pageSize: Int = 100) -> AssetList { AssetList(client: self, pageSize: pageSize) }

    /// Stores an image: under a name, or without one under the digest of its content. The cache forgets what it has under that name.
    public func upload(
        _ content: UploadContent, as name: String? = nil, replace: Replace = .ifAbsent,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> AssetRecord {
        if case .file(let file) = content, !FileManager.default.isReadableFile(atPath: file.path) {
            throw VedutaError.file(path: file.path, reason: "The file cannot be read.")
        }
        var request = HTTPRequest(
            try service.url(name.map { target(of: AssetID($0)) } ?? "/assets"), method: name == nil ? "POST" : "PUT",
            fields: ["content-type": "application/octet-stream"], content: content.httpContent)
        if name != nil {
            switch replace {
            case .ifAbsent: request.fields["if-none-match"] = "*"
            case .matching(let tag): request.fields["if-match"] = tag
            case .always: break
            }
        }
        var events = TransportEvents()
        if let progress { events.sent = { progress(TransferProgress(byteCount: $0, total: $1)) } }
        // The id of an upload without a name is its content: storing it twice is storing it once.
        let response = try await send(request, events, authorized: true, mayRepeat: name == nil || replace == .ifAbsent)
        if let name, response.status == 412, response.attempts > 1, let record = try await stored(name, content) {
            await forget(record.id)
            return record
        }
        try response.check()
        if let name { await forget(AssetID(name)) }
        return try Self.decoded(AssetRecord.self, response.content)
    }

    /// The asset of this name if it has this content: the answer to an earlier attempt to store it was lost, and a further one is
    /// refused, as the name is taken by now. Of its record only id and size are known.
    private func stored(_ name: String, _ content: UploadContent) async throws -> AssetRecord? {
        let there = try await send(HTTPRequest(try original(of: AssetID(name))), authorized: true)
        guard there.status == 200, there.content == content.data else { return nil }
        return AssetRecord(members: ["id": .string(name), "bytes": .number(Double(there.content.count))])
    }

    /// Deletes an upload and all images made from it, also those of the cache.
    public func remove(_ id: AssetID) async throws {
        let request = HTTPRequest(try service.url(target(of: id)), method: "DELETE")
        try await send(request, authorized: true, mayRepeat: false).check()
        await forget(id)
    }

    /// Removes from the cache what was made of an asset that has changed (RFC 9111 §4.4): it may be fresh for a day.
    private func forget(_ id: AssetID) async {
        guard let root = try? service.url("/").absoluteString, let own = try? service.url(target(of: id)).absoluteString
        else { return }
        await store?.removeAll(where: { url in
            let text = url.absoluteString
            guard text.hasPrefix(root) else { return false }
            if text == own || text.hasPrefix(own + "?") || text.hasPrefix(own + "/") { return true }
            // It stands alone, in a list, or among the options of an overlay or a person.
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            return items.contains { $0.value?.contains(id.rawValue) ?? false }
        })
    }

    /// Makes the server forget images.
    public func purge(_ what: Purge) async throws -> Purged {
        let query =
            switch what {
            case .asset(let id): "?id=" + PercentEncoding.encoded(id.rawValue)
            case .key(let key): "?key=" + PercentEncoding.encoded(key)
            case .everything: ""
            }
        let request = HTTPRequest(try service.url("/cache" + query), method: "DELETE")
        let response = try await send(request, authorized: true)
        try response.check()
        return try Self.decoded(Purged.self, response.content)
    }
}

/// The assets of a server.
public struct AssetList: AsyncSequence, Sendable {
    let client: VedutaClient
    let pageSize: Int

    /// The next assets that were fetched, and where there are more.
    public struct Iterator: AsyncIteratorProtocol {
        private struct Page: Decodable {
            let items: [AssetRecord]
            let next: String?
        }

        private let client: VedutaClient
        private var items: ArraySlice<AssetRecord> = []
        private var next: String?

        init(_ list: AssetList) {
            client = list.client
            next = "/assets?limit=\(list.pageSize)"
        }

        /// The next asset; fetches a page where it must.
        public mutating func next() async throws -> AssetRecord? {
            while items.isEmpty, let target = next {
                // A server with keys lists its assets for those with its token alone.
                let response = try await client.send(HTTPRequest(try client.service.url(target)), authorized: true)
                try response.check()
                let page = try VedutaClient.decoded(Page.self, response.content)
                (items, next) = (page.items[...], page.next)
            }
            return items.popFirst()
        }
    }

    /// From the first asset.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
