public import Foundation
import Synchronization

/// Images that an app has and the server may not have yet: they have their final id, and so their final URLs, from the start.
///
/// The id is the digest of the content, as the server makes it. A draft is kept in a folder until it is sent and the server has
/// shown it once; it survives the process.
public final class Drafts: Sendable {
    private let folder: URL
    private let client: VedutaClient
    private let known = Mutex<[AssetID: Draft]>([:])
    private let sending: SendingQueue

    /// Opens the drafts of a folder, those of earlier processes too. With `waitsForCheapNetwork` they are sent over networks alone
    /// that neither cost by the byte nor are constrained, as the `connectivity` of the client's policy tells.
    public init(folder: URL, client: VedutaClient, waitsForCheapNetwork: Bool = false) throws {
        self.folder = folder
        self.client = client
        sending = SendingQueue(waitsForCheapNetwork ? client.policy.connectivity : nil)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where name.hasPrefix("~") && name.utf8.count == 44 {
                let id = AssetID(name)
                known.withLock { $0[id] = Draft(id, file(id), client, queue: sending) }
            }
        } catch {
            throw VedutaError.file(path: folder.path, reason: error.localizedDescription)
        }
    }

    private func file(_ id: AssetID) -> URL { folder.appending(path: id.rawValue) }

    /// The drafts whose content is still here.
    public var all: [Draft] { known.withLock { Array($0.values) }.sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Copies an image into the folder and gives its id; the same content again is the same draft.
    public func add(_ content: UploadContent) throws -> Draft {
        do {
            let id: AssetID
            switch content {
            case .data(let data):
                id = AssetID(contentOf: data)
                try data.write(to: file(id), options: .atomic)
            case .file(let source):
                // The digest is of the copy: the source may change meanwhile.
                let copy = folder.appending(path: UUID().uuidString + ".new")
                defer { try? FileManager.default.removeItem(at: copy) }
                try FileManager.default.copyItem(at: source, to: copy)
                id = AssetID(digest: try SHA256.digest(ofFileAt: copy))
                if !FileManager.default.fileExists(atPath: file(id).path) {
                    try FileManager.default.moveItem(at: copy, to: file(id))
                }
            }
            return known.withLock { known in
                let draft = known[id] ?? Draft(id, file(id), client, queue: sending)
                known[id] = draft
                return draft
            }
        } catch {
            throw VedutaError.file(path: folder.path, reason: error.localizedDescription)
        }
    }

    /// An image of the cache, of a draft that is here, or of the server. A draft is drawn here where that can be done (sizes, crops,
    /// right angles and the like, on Apple platforms), with the field `Veduta-Local: drawn`; else its original is given, whatever the
    /// URL asks for, with `Veduta-Local: original`: the view scales it until the server has the image.
    ///
    /// After the first image from the server the copy of a draft that was sent is removed.
    public func picture(_ url: AssetURL) async throws -> Picture {
        if let cached = try? await client.picture(url, read: .returnCacheDontLoad) { return cached }
        let draft = url.parameters.value("id").flatMap { id in known.withLock { $0[AssetID(id)] } }
        guard let draft else { return try await client.picture(url) }
        if case .sent = draft.state {
            do {
                let picture = try await client.picture(url)
                known.withLock { _ = $0.removeValue(forKey: draft.id) }
                try? FileManager.default.removeItem(at: draft.file)
                return picture
            } catch let error as VedutaError where error.isOfTheNetwork {
                // The copy is still here.
            }
        }
        guard let data = try? Data(contentsOf: draft.file) else { return try await client.picture(url) }
        let drawn = LocalRenderer.draw(url, from: data)
        let head = HTTPResponse(
            url: try url.url(for: client.service), status: 200,
            fields: [
                "veduta-local": drawn == nil ? "original" : "drawn",
                "content-type": drawn?.mediaType ?? Self.mediaType(data),
            ])
        let stored = StoredResponse(head: StoredResponse.Head(head, to: [:]), content: drawn?.data ?? data)
        return Picture(LoadedResponse(response: stored, source: .disk))
    }

    /// The type that first bytes indicate.
    private static func mediaType(_ data: Data) -> String {
        let start = Array(data.prefix(12))
        if start.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if start.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "image/png" }
        if start.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if start.dropFirst(8).elementsEqual("WEBP".utf8) { return "image/webp" }
        if start.dropFirst(4).prefix(4).elementsEqual("ftyp".utf8) {
            return start.dropFirst(8).elementsEqual("avif".utf8) ? "image/avif" : "image/heic"
        }
        return "application/octet-stream"
    }
}

/// An image that is to be sent.
public final class Draft: Sendable {
    /// How far it is.
    public enum State: Sendable {
        /// Here alone.
        case local
        /// On its way, 0…1.
        case sending(Double)
        /// The server has it.
        case sent
        /// It was given up; ``Draft/send()`` tries again.
        case failed(VedutaError)
    }

    /// The id, here and on the server.
    public let id: AssetID
    let file: URL
    private let client: VedutaClient
    private let queue: SendingQueue
    private let held = Mutex<(state: State, work: Task<Void, any Error>?)>((.local, nil))
    private let stream: AsyncStream<State>.Continuation
    /// Every state from the first; for one reader.
    public let states: AsyncStream<State>

    init(_ id: AssetID, _ file: URL, _ client: VedutaClient, queue: SendingQueue) {
        self.id = id
        self.file = file
        self.client = client
        self.queue = queue
        (states, stream) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        stream.yield(.local)
    }

    /// The URL of the image, before and after it is sent.
    public var url: AssetURL { AssetURL(id) }

    /// How far it is.
    public var state: State { held.withLock { $0.state } }

    /// Sends the image unless the server has it. Two drafts are sent at a time, in the order of calls; calling it again while it
    /// is under way waits for the same transfer. A caller that is cancelled leaves at once, and the transfer goes on.
    public func send() async throws {
        if case .sent = state { return }
        let work = held.withLock { held in
            let work = held.work ?? Task { [self] in try await transfer() }
            held.work = work
            return work
        }
        try await work.valueForCaller()
    }

    private func transfer() async throws {
        await queue.enter()
        let result: Result<Void, VedutaError>
        do {
            try await queue.cheapNetwork()
            result = .success(try await transferNow())
        } catch {
            result = .failure(VedutaError.wrapping(error))
        }
        await queue.leave()
        switch result {
        case .success: move(to: .sent, isOver: true)
        case .failure(let error): move(to: .failed(error), isOver: true)
        }
        try result.get()
    }

    private func transferNow() async throws {
        move(to: .sending(0))
        let known = try await client.send(
            HTTPRequest(try client.service.url(client.target(of: id)), method: "HEAD"), authorized: true)
        if known.status == 200 { return }
        let byteCount = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        guard byteCount > Self.wholeByteLimit else {
            _ = try await client.upload(.file(file)) { [weak self] progress in
                self?.move(to: .sending(progress.fraction ?? 0))
            }
            return
        }
        let upload = client.resumableUpload(file)
        upload.resume()
        for await state in upload.states {
            switch state {
            case .sending(let progress): move(to: .sending(progress.fraction ?? 0))
            case .failed(let error): throw error
            case .paused, .finished, .cancelled: continue
            }
        }
    }

    /// Larger ones are sent so that another process can go on.
    private static let wholeByteLimit = 2 << 20

    private func move(to state: State, isOver: Bool = false) {
        held.withLock { held in
            held.state = state
            // Before it is told: whoever hears of a failure may send again.
            if isOver { held.work = nil }
        }
        stream.yield(state)
    }
}

/// Lets two in at a time, in the order of arrival.
actor SendingQueue {
    private let connectivity: (any Connectivity)?
    private var free = 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// With `connectivity`, `cheapNetwork` waits.
    init(_ connectivity: (any Connectivity)?) { self.connectivity = connectivity }

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Waits for a network that is free of charge; throws where there will be none, as the one that there is never changes.
    func cheapNetwork() async throws(VedutaError) {
        guard let connectivity else { return }
        // Asked for first, so that no change is missed.
        let changes = connectivity.changes
        if connectivity.current.isCheap { return }
        for await path in changes where path.isCheap { return }
        throw .noConnection
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
