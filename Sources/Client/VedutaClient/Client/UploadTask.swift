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

    private struct Work {
        /// Counts starts and stops: a run whose number is not this one was stopped, and tells nothing any more.
        var number = 0
        var task: Task<Void, Never>?
        /// What ended the upload for good.
        var end: Result<AssetRecord, VedutaError>?
        /// Those who wait in `finish`.
        var waiting: [AsyncStream<Result<AssetRecord, VedutaError>>.Continuation] = []
    }

    private let client: VedutaClient
    private let file: URL
    private let note: URL
    private let chunkByteCount: Int
    private let work = Mutex(Work())
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
            guard work.task == nil, work.end == nil else { return }
            work.number += 1
            let number = work.number
            work.task = Task { await self.run(number) }
        }
    }

    /// Stops; what has come stays on the server for a day.
    public func pause() {
        stop()
        stream.yield(.paused)
    }

    /// Stops, and makes the server forget what has come. Where the server cannot be told, the upload has ended all the same, and
    /// the error is thrown: the server forgets it after a day.
    public func cancel() async throws {
        let (waiting, running) = work.withLock { work in
            if work.end == nil { work.end = .failure(.cancelled) }
            work.number += 1
            defer { work.waiting = [] }
            return (work.waiting, work.task.take())
        }
        running?.cancel()
        for waiter in waiting { waiter.yield(.failure(.cancelled)) }
        defer {
            stream.yield(.cancelled)
            stream.finish()
        }
        if let saved = saved() {
            try? FileManager.default.removeItem(at: note)
            _ = try await client.send(tus("DELETE", saved.location), authorized: true)
        }
    }

    /// Resumes it and waits for its end. A caller that is cancelled leaves, and the upload goes on.
    public func finish() async throws -> AssetRecord {
        let (ends, waiter) = AsyncStream.makeStream(of: Result<AssetRecord, VedutaError>.self)
        let known = work.withLock { work in
            if work.end == nil { work.waiting.append(waiter) }
            return work.end
        }
        if let known { return try known.get() }
        resume()
        for await end in ends { return try end.get() }
        throw VedutaError.cancelled
    }

    private func stop() {
        let running = work.withLock { work in
            work.number += 1
            return work.task.take()
        }
        running?.cancel()
    }

    private func run(_ number: Int) async {
        let result: Result<AssetRecord, VedutaError>
        do { result = .success(try await send(number)) } catch { result = .failure(VedutaError.wrapping(error)) }
        let waiting = work.withLock { work -> [AsyncStream<Result<AssetRecord, VedutaError>>.Continuation] in
            guard work.number == number else { return [] }
            work.task = nil
            switch result {
            case .success(let record):
                work.end = result
                stream.yield(.finished(record))
                stream.finish()
            case .failure(let error): stream.yield(.failed(error))
            }
            defer { work.waiting = [] }
            return work.waiting
        }
        for waiter in waiting { waiter.yield(result) }
    }

    /// Tells how far a run is, unless it was stopped.
    private func tell(_ progress: TransferProgress, _ number: Int) {
        work.withLock { work in
            guard work.number == number else { return }
            stream.yield(.sending(progress))
        }
    }

    /// `Location` as a server says it, which does not know the path that a proxy before it takes off.
    private func url(_ location: String) throws(VedutaError) -> URL {
        var path = client.service.base.path()
        while path.hasSuffix("/") { path.removeLast() }
        if location.hasPrefix("/"), !location.hasPrefix("//"), !location.hasPrefix(path + "/") {
            return try client.service.url(location)
        }
        guard let url = URL(string: location, relativeTo: client.service.base) else { throw .invalidURL([]) }
        return url.absoluteURL
    }

    private func tus(_ method: String, _ target: String, _ fields: HTTPFields = [:]) throws -> HTTPRequest {
        HTTPRequest(try url(target), method: method, fields: fields.merging(["tus-resumable": "1.0.0"]))
    }

    private var attributes: (byteCount: Int64, modified: Double) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        let modified = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return ((attributes?[.size] as? NSNumber)?.int64Value ?? 0, modified)
    }

    private func saved() -> Note? {
        guard let data = try? Data(contentsOf: note), let saved = try? JSONDecoder().decode(Note.self, from: data)
        else { return nil }
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

    private func send(_ number: Int) async throws -> AssetRecord {
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
            guard !piece.isEmpty || offset >= total else {
                throw VedutaError.file(path: file.path, reason: "The file has become shorter.")
            }
            var request = try tus(
                "PATCH", location,
                ["upload-offset": "\(offset)", "content-type": "application/offset+octet-stream"])
            request.content = .data(piece)
            var events = TransportEvents()
            let start = offset
            events.sent = { [self] count, _ in
                tell(TransferProgress(byteCount: start + count, total: total), number)
            }
            do {
                let response = try await client.send(request, events, authorized: true, mayRepeat: false)
                if let next = response.fields["upload-offset"].flatMap({ Int64($0) }), response.status < 300,
                    next > offset || next >= total
                {
                    (offset, attempt) = (next, 0)
                    tell(TransferProgress(byteCount: offset, total: total), number)
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
