import Bytes
import Digest
import HTTPMessage
import Reactor
import Synchronization

/// The upload of one file in parts, one after the other: begun, sent, and completed or aborted.
///
/// Whoever waits is told before an upload is aborted. Everything but `start` and `stop` runs on the fetch thread.
final class S3MultipartUpload: Sendable {
    struct Part: Sendable {
        let range: Range<Int>
        let digest: Digest256
    }

    private enum Step: Sendable {
        case begin
        case part(Int)
        case complete
        /// The answer to completion was lost, and the upload is gone or an object there: is it this one?
        case look
        case abort
    }

    private struct State {
        /// Empty until S3 has named it.
        var id = ""
        /// Of the parts that were sent.
        var tags: [String] = []
        /// Of the step that runs.
        var attempt = 1
        var failureCount = 0
        /// Of the part that is being sent.
        var ticket: Fetcher.Ticket?
        var isStopped = false
        /// Whether whoever waits was told.
        var isTold = false
    }

    /// The object has it, so that it is told from another one of the same name.
    private static let markField: FieldName = "x-amz-meta-veduta-upload"

    private let mark = "\(UInt64.random(in: .min ... .max))"
    private let storage: S3Storage
    private let location: S3Location
    private let file: SharedFile
    private let parts: [Part]
    private let contentType: String?
    private let ifAbsent: Bool
    private let completion: @Sendable (Result<String, OriginError>) -> Void
    private let state = Mutex(State())

    init(
        _ storage: S3Storage, _ location: S3Location, of file: SharedFile, _ parts: [Part], contentType: String?,
        ifAbsent: Bool, completion: @escaping @Sendable (Result<String, OriginError>) -> Void
    ) {
        (self.storage, self.location, self.file, self.parts) = (storage, location, file, parts)
        (self.contentType, self.ifAbsent, self.completion) = (contentType, ifAbsent, completion)
    }

    func start() { run(.begin) }

    /// Aborts it: at once where a part is being sent, and when other requests are answered.
    func stop() {
        let ticket = state.withLock { state in
            state.isStopped = true
            return state.ticket
        }
        if let ticket { storage.fetcher.cancel(ticket) }
    }

    /// After the fetch thread has ended, which drops what was to be done later.
    func abandon() { tell(.failure(.cancelled)) }

    // MARK: Steps

    private func goOn(to step: Step) {
        state.withLock { $0.attempt = 1 }
        run(step)
    }

    private func run(_ step: Step) {
        let (id, tags, isStopped) = state.withLock { ($0.id, $0.tags, $0.isStopped) }
        if isStopped {
            guard case .abort = step else { return giveUp(.cancelled) }
        }
        switch step {
        case .begin:
            var fields = Fields()
            if let contentType { fields.append(.contentType, contentType) }
            fields.append(Self.markField, mark)
            send(
                "POST", step, query: [(name: "uploads", value: "")], fields: fields, content: .bytes(SharedBytes([])))
        case .part(let number):
            var fields = Fields()
            fields.append(S3Signer.contentDigest, parts[number].digest.hex)
            let ticket = send(
                "PUT", step, query: [(name: "partNumber", value: "\(number + 1)"), (name: "uploadId", value: id)],
                fields: fields, content: .part(file, parts[number].range))
            let isTooLate = state.withLock { state in
                state.ticket = ticket
                return state.isStopped
            }
            if isTooLate, let ticket { storage.fetcher.cancel(ticket) }
        case .complete:
            var fields = Fields()
            fields.append(.contentType, "application/xml")
            if ifAbsent { fields.append(.ifNoneMatch, "*") }
            send(
                "POST", step, query: [(name: "uploadId", value: id)], fields: fields,
                content: .bytes(SharedBytes(Array(S3MultipartXML.list(of: tags).utf8))),
                patience: storage.rules.completionPatience)
        case .look: send("HEAD", step)
        case .abort: send("DELETE", step, query: [(name: "uploadId", value: id)])
        }
    }

    @discardableResult private func send(
        _ method: String, _ step: Step, query: [(name: String, value: String)] = [], fields: Fields = Fields(),
        content: ExchangeContent? = nil, patience: Duration = .zero
    ) -> Fetcher.Ticket? {
        storage.run(
            method, location.bucket, key: location.key, query: query, fields: fields, content: content,
            patience: patience
        ) { [self] in ended(step, $0) }
    }

    private func ended(_ step: Step, _ result: Result<Exchanged, OriginError>) {
        switch (step, result) {
        case (.begin, .success(let answer)):
            guard let id = S3MultipartXML.uploadID(answer.content) else { return failed(step, .notHTTP) }
            state.withLock { $0.id = id }
            goOn(to: .part(0))
        case (.part(let number), .success(let answer)):
            guard let tag = answer.head.fields.first(.entityTag), (1...256).contains(tag.utf8.count) else {
                return failed(step, .notHTTP)
            }
            state.withLock { state in
                state.ticket = nil
                state.tags.append(tag)
            }
            goOn(to: number + 1 < parts.count ? .part(number + 1) : .complete)
        case (.complete, .success(let answer)):
            switch S3MultipartXML.completion(answer.content) {
            case .success(let tag): succeed(tag)
            case .failure(let error): failed(step, error)
            }
        case (.look, .success(let answer)):
            guard answer.head.fields.first(Self.markField) == mark else {
                return giveUp(ifAbsent ? .status(412) : .broken)
            }
            succeed(answer.head.fields.first(.entityTag) ?? "")
        case (.abort, .success), (.abort, .failure(.notFound)): leave()
        case (_, .failure(let error)): failed(step, error)
        }
    }

    private func failed(_ step: Step, _ error: OriginError) {
        let rules = storage.rules
        let (attempt, isStopped) = state.withLock { ($0.attempt, $0.isStopped) }
        if case .complete = step, attempt > 1, error == .notFound || error == .status(412) { return goOn(to: .look) }
        let mayRepeat = state.withLock { state in
            guard error.mayPassForS3, attempt < rules.attempts, state.failureCount < rules.failureLimit else {
                return false
            }
            state.attempt += 1
            state.failureCount += 1
            return true
        }
        if case .abort = step {
            guard mayRepeat else { return leave() }
        } else {
            guard mayRepeat, !isStopped else { return giveUp(isStopped ? .cancelled : error) }
        }
        storage.fetcher.wake(after: rules.pause * (1 << (attempt - 1))) { [self] in run(step) }
    }

    // MARK: Ends

    private func tell(_ result: Result<String, OriginError>) {
        let isFirst = state.withLock { state in
            defer { state.isTold = true }
            return !state.isTold
        }
        if isFirst { completion(result) }
    }

    private func succeed(_ tag: String) {
        tell(.success(tag))
        leave()
    }

    private func giveUp(_ error: OriginError) {
        tell(.failure(error))
        let isBegun = state.withLock { state in
            state.failureCount = 0
            return !state.id.isEmpty
        }
        if isBegun { goOn(to: .abort) } else { leave() }
    }

    private func leave() { storage.running.remove(self) }
}

extension OriginError {
    /// Whether S3 may take the same request a moment later.
    fileprivate var mayPassForS3: Bool { isTransient || [500, 502, 503, 504].contains { self == .status($0) } }
}
