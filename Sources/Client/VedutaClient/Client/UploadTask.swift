public import Foundation
import Synchronization

/// The upload of a large file that survives broken connections and the end of the process (tus 1.0).
///
/// Where it stands is noted in `FILE.veduta-upload` beside the file: a new task for the same file, also of a new process, asks
/// the server how much has come and goes on there.
public final class UploadTask: Sendable {
    /// How far it is.
    public enum State: Sendable {
        /// Not begun, or stopped by ``UploadTask/pause()``.
        case paused
        /// Under way.
        case sending(TransferProgress)
        /// Stored.
        case finished(AssetRecord)
        /// Given up; ``UploadTask/resume()`` tries again.
        case failed(VedutaError)
        /// Ended by ``UploadTask/cancel()``; the server has forgotten it.
        case cancelled
    }

    private struct Note: Codable {
        var location: String
        var byteCount: Int64
        var modified: Double
    }

    private let client: VedutaClient
    private let file: URL
    private let note: URL
    private let chunkByteCount: Int
    private let work = Mutex<Task<Void, Never>?>(nil)
    /// Every state from now on; it ends with `finished` or `cancelled`. For one reader.
    public let states: AsyncStream<State>
    private let stream: AsyncStream<State>.Continuation

    init(_ client: VedutaClient, _ file: URL, chunkByteCount: Int) {
        self.client = client
        self.file = file
        note = file.appendingPathExtension("veduta-upload")
        self.chunkByteCount = max(1, chunkByteCount)
        (states, stream) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        stream.yield(.paused)
    }

    /// Begins, or goes on where it stopped.
    public func resume() {
        work.withLock { work in
            guard work == nil else { return }
            work = Task { await self.run() }
        }
    }

    /// Stops; what has come stays on the server for a day.
    public func pause() {
        stop()
        stream.yield(.paused)
    }

    /// Stops, and makes the server forget what has come.
    public func cancel() async throws {
        stop()
        if let saved = saved() {
            try? FileManager.default.removeItem(at: note)
            _ = try await client.send(tus("DELETE", saved.location), authorized: true)
        }
        stream.yield(.cancelled)
        stream.finish()
    }

    /// Resumes it and waits for its end.
    public func finish() async throws -> AssetRecord {
        resume()
        for await state in states {
            switch state {
            case .finished(let record): return record
            case .failed(let error): throw error
            case .cancelled: throw VedutaError.cancelled
            case .paused, .sending: continue
            }
        }
        throw VedutaError.cancelled
    }

    private func stop() {
        let running = work.withLock { $0.take() }
        running?.cancel()
    }

    private func run() async {
        do {
            let record = try await send()
            stream.yield(.finished(record))
            stream.finish()
        } catch {
            guard !Task.isCancelled else { return }
            work.withLock { $0 = nil }
            stream.yield(.failed(VedutaError.wrapping(error)))
        }
    }

    private func tus(_ method: String, _ target: String, _ fields: HTTPFields = [:]) throws -> HTTPRequest {
        let url = URL(string: target, relativeTo: client.service.base)?.absoluteURL ?? client.service.base
        return HTTPRequest(url, method: method, fields: fields.merging(["tus-resumable": "1.0.0"]))
    }

    private var attributes: (byteCount: Int64, modified: Double) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        let modified = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return ((attributes?[.size] as? NSNumber)?.int64Value ?? 0, modified)
    }

    private func saved() -> Note? {
        guard let data = try? Data(contentsOf: note), let saved = try? JSONDecoder().decode(Note.self, from: data)
        else {
            return nil
        }
        let now = attributes
        return saved.byteCount == now.byteCount && abs(saved.modified - now.modified) < 0.001 ? saved : nil
    }

    /// Where the upload is, and how much of it has come.
    private func place(_ total: Int64) async throws -> (location: String, offset: Int64) {
        if let saved = saved() {
            let response = try await client.send(tus("HEAD", saved.location), authorized: true)
            if let offset = response.fields["upload-offset"].flatMap({ Int64($0) }) { return (saved.location, offset) }
            guard [404, 410].contains(response.status) else { throw failure(of: response) }
        }
        let name = Data(file.lastPathComponent.utf8).base64EncodedString()
        let create = try tus(
            "POST", client.service.url("/uploads").absoluteString,
            ["upload-length": "\(total)", "upload-metadata": "filename \(name)"])
        let response = try await client.send(create, authorized: true)
        try response.check()
        guard let location = response.fields["location"] else { throw failure(of: response) }
        let saved = Note(location: location, byteCount: total, modified: attributes.modified)
        do {
            try JSONEncoder().encode(saved).write(to: note, options: .atomic)
        } catch {
            throw VedutaError.file(path: note.path, reason: error.localizedDescription)
        }
        return (location, 0)
    }

    private func failure(of response: HTTPResponse) -> VedutaError {
        do {
            try response.check()
            return .unexpected(status: response.status, response.content)
        } catch {
            return VedutaError.wrapping(error)
        }
    }

    private func send() async throws -> AssetRecord {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: file)
        } catch {
            throw VedutaError.file(path: file.path, reason: error.localizedDescription)
        }
        defer { try? handle.close() }
        let total = attributes.byteCount
        var attempt = 0
        var (location, offset) = try await place(total)
        while true {
            try handle.seek(toOffset: UInt64(offset))
            let piece = try handle.read(upToCount: chunkByteCount) ?? Data()
            var request = try tus(
                "PATCH", location,
                ["upload-offset": "\(offset)", "content-type": "application/offset+octet-stream"])
            request.content = .data(piece)
            var events = TransportEvents()
            let (start, stream) = (offset, stream)
            events.sent = { count, _ in stream.yield(.sending(TransferProgress(byteCount: start + count, total: total)))
            }
            do {
                let response = try await client.send(request, events, authorized: true, mayRepeat: false)
                if let next = response.fields["upload-offset"].flatMap({ Int64($0) }), response.status < 300 {
                    (offset, attempt) = (next, 0)
                    stream.yield(.sending(TransferProgress(byteCount: offset, total: total)))
                    if offset >= total { return try await record(response, total) }
                    continue
                }
                // 409: the server has another idea of how much has come. 423: it still reads what a broken connection sent.
                guard [409, 423].contains(response.status) || client.policy.delay(after: 1, .success(response)) != nil
                else { throw failure(of: response) }
                attempt += 1
                guard attempt <= client.policy.attempts else { throw failure(of: response) }
                let pause = response.retryAfter.map { Duration.seconds(min(max(0, $0), 30)) }
                try await Task.sleep(for: pause ?? client.policy.firstDelay)
            } catch let error as VedutaError {
                attempt += 1
                guard let delay = client.policy.delay(after: attempt, .failure(error)) else { throw error }
                try await Task.sleep(for: delay)
            }
            (location, offset) = try await place(total)
        }
    }

    /// The asset that the last byte made. It is stored whatever the server says when it is asked to look into it.
    private func record(_ response: HTTPResponse, _ total: Int64) async throws -> AssetRecord {
        guard let id = response.fields["veduta-asset"] else { throw failure(of: response) }
        try? FileManager.default.removeItem(at: note)
        let target = client.target(of: AssetID(id))
        if let asked = try? await client.send(HTTPRequest(client.service.url(target)), authorized: true),
            asked.status == 200, let record = try? VedutaClient.decoded(AssetRecord.self, asked.content)
        {
            return record
        }
        return AssetRecord(members: ["id": .string(id), "bytes": .number(Double(total))])
    }
}

extension VedutaClient {
    /// An upload of a large file in pieces that goes on after interruptions; nothing is sent before ``UploadTask/resume()``.
    public func resumableUpload(_ file: URL, chunk: Int = 8 << 20) -> UploadTask {
        UploadTask(self, file, chunkByteCount: chunk)
    }
}
