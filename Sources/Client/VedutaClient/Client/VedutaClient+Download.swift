public import Foundation
import Parameters
import Synchronization

extension VedutaClient {
    /// Saves an image, or the original of an asset by its URL, to a file.
    ///
    /// What has come is kept in `FILE.part`: a download that broke off, also of an earlier process, goes on where it stopped if
    /// the image is still the same (`Range` with `If-Range`). Goes past the cache. Equal downloads at one time are one.
    public func download(
        _ url: any PictureURL, to file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws {
        let source = try url.url(for: service)
        // Two would write to the same `FILE.part`.
        try await downloads.value(for: "\(file.absoluteString)\n\(source.absoluteString)", progress: progress) {
            [self] report in
            try await download(source, PartialFile(file), report)
        }
    }

    private func download(
        _ source: URL, _ part: PartialFile, _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        var attempt = 0
        while true {
            let start = part.byteCount
            let outcome: Result<HTTPResponse, VedutaError>
            do {
                guard let refusal = try await downloadOnce(source, part, progress) else { return }
                outcome = .success(refusal)
            } catch {
                outcome = .failure(VedutaError.wrapping(error))
            }
            // Each piece of progress earns new attempts.
            attempt = part.byteCount > start ? 1 : attempt + 1
            guard !Task.isCancelled, let delay = policy.delay(after: attempt, outcome) else {
                let refusal = try outcome.get()
                try refusal.check()
                throw VedutaError.unexpected(status: refusal.status, refusal.content)
            }
            do { try await Task.sleep(for: delay) } catch { throw VedutaError.cancelled }
        }
    }

    /// The URL of the original of an asset, as ``download(_:to:progress:)`` takes it.
    public func original(of id: AssetID) throws -> URL {
        try service.url(try service.signed(target(of: id) + AssetAddress.original))
    }

    /// The answer that has no image; nil where the file is complete.
    private func downloadOnce(
        _ source: URL, _ part: PartialFile, _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse? {
        // Ranges count bytes as they are sent, so none may be coded.
        var request = HTTPRequest(source, fields: ["accept": policy.accept, "accept-encoding": "identity"])
        if let validator = part.validator(for: source) {
            request.fields["range"] = "bytes=\(part.byteCount)-"
            request.fields["if-range"] = validator
        }
        let writer = PartialFile.Writer()
        var events = TransportEvents()
        events.head = { head in writer.begin(part, head, source) }
        events.received = { data in
            if let position = writer.write(data) { progress(position) }
        }
        let response = try await send(request, events, mayRepeat: false)
        if response.status == 416 {
            // Of the same image (`If-Range`): all of it is there, and the process ended before the file got its name.
            if response.fields["content-range"] == "bytes */\(part.byteCount)" {
                try part.complete()
                return nil
            }
            // What is there is not of it: from the start.
            part.remove()
            throw VedutaError.transport(URLError(.networkConnectionLost))
        }
        guard response.status == 200 || response.status == 206 else {
            var refusal = response
            refusal.content = writer.refusalContent
            return refusal
        }
        try writer.finish()
        try part.complete()
        return nil
    }
}

/// A file on its way: its bytes in `FILE.part`, what they are of in `FILE.part.json`.
private struct PartialFile: Sendable {
    private struct Source: Codable {
        let url: URL
        let validator: String
    }

    private let file: URL
    private let part: URL
    private let note: URL

    init(_ file: URL) {
        self.file = file
        part = file.appendingPathExtension("part")
        note = part.appendingPathExtension("json")
    }

    var byteCount: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: part.path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// The strong entity tag of what is there, if it is of `url`.
    func validator(for url: URL) -> String? {
        guard byteCount > 0, let data = try? Data(contentsOf: note),
            let source = try? JSONDecoder().decode(Source.self, from: data), source.url == url
        else { return nil }
        return source.validator
    }

    func remove() {
        try? FileManager.default.removeItem(at: part)
        try? FileManager.default.removeItem(at: note)
    }

    func complete() throws {
        // In one step: a process that ends here leaves the old file or the new one.
        guard rename(part.path, file.path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw VedutaError.file(path: file.path, reason: reason)
        }
        try? FileManager.default.removeItem(at: note)
    }

    /// The file to write an answer to: after what is there for a 206, else from the start.
    func open(_ head: HTTPResponse, _ source: URL) throws -> FileHandle {
        if head.status == 206 {
            guard head.fields["content-range"]?.hasPrefix("bytes \(byteCount)-") == true else {
                // Another part than the one that is missing: from the start.
                remove()
                throw VedutaError.transport(URLError(.networkConnectionLost))
            }
        } else {
            remove()
            guard FileManager.default.createFile(atPath: part.path, contents: nil) else {
                throw VedutaError.file(path: part.path, reason: "cannot be created")
            }
            if let tag = head.fields["etag"], !tag.hasPrefix("W/") {
                try JSONEncoder().encode(Source(url: source, validator: tag)).write(to: note, options: .atomic)
            }
        }
        let handle = try FileHandle(forWritingTo: part)
        try handle.seekToEnd()
        return handle
    }

    /// Takes an answer piece by piece on the thread of the transport. What goes wrong is told at the end.
    final class Writer: Sendable {
        private struct State {
            var file: Result<FileHandle, any Error>?
            var byteCount: Int64 = 0
            var total: Int64?
            /// The content of an error.
            var content = Data()
        }

        private let state = Mutex(State())

        func begin(_ part: PartialFile, _ head: HTTPResponse, _ source: URL) {
            guard head.status == 200 || head.status == 206 else { return }
            let (file, start) = (UncheckedFile(file: Result { try part.open(head, source) }), part.byteCount)
            state.withLock { state in
                state.file = file.file
                state.byteCount = start
                state.total = head.fields["content-length"].flatMap { Int64($0) }.map { $0 + start }
            }
        }

        func write(_ data: Data) -> TransferProgress? {
            state.withLock { state in
                switch state.file {
                case .success(let file):
                    do {
                        try file.write(contentsOf: data)
                        state.byteCount += Int64(data.count)
                    } catch {
                        state.file = .failure(error)
                    }
                    return TransferProgress(byteCount: state.byteCount, total: state.total)
                case .failure: return nil
                case nil:
                    state.content.append(data.prefix(max(0, VedutaError.contentByteLimit - state.content.count)))
                    return nil
                }
            }
        }

        var refusalContent: Data { state.withLock { $0.content } }

        func finish() throws {
            let (file, isShort) = state.withLock { state in
                (UncheckedFile(file: state.file), state.total.map { state.byteCount < $0 } ?? false)
            }
            do {
                try file.file?.get().close()
            } catch {
                throw error as? VedutaError ?? .file(path: "", reason: error.localizedDescription)
            }
            if isShort { throw VedutaError.transport(URLError(.networkConnectionLost)) }
        }
    }

    /// A file on its way into or out of a lock, under which alone it is used.
    private struct UncheckedFile: @unchecked Sendable {
        let file: Result<FileHandle, any Error>?
    }
}
