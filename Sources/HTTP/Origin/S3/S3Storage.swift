import Bytes
import Digest
package import HTTPMessage
import Reactor

/// Any thread; completions are called on the fetch thread and must not block. Only reading retries and resumes, and the
/// parts of a large file.
package struct S3Storage: Sendable {
    private let service: S3Service
    let fetcher: Fetcher
    let rules: S3PartRules
    /// Of this storage and its copies.
    let running = S3RunningUploads()
    /// The most bytes of an object that S3 takes in one request.
    package static let contentLimit = 5 << 30
    package static let listingLimit = 1_000

    /// The endpoint need not be among the fetcher's origins; the address policy must allow its address.
    package init(_ service: S3Service, fetcher: Fetcher, parts rules: S3PartRules = S3PartRules()) {
        (self.service, self.fetcher, self.rules) = (service, fetcher, rules)
    }

    /// Each attempt is signed, but no redirect elsewhere.
    package func fetchRequest(_ location: S3Location, byteLimit: Int) throws(OriginError) -> FetchRequest {
        guard service.buckets.contains(location.bucket) else { throw .originNotAllowed }
        var request = FetchRequest(service.url(location.bucket, key: location.key), byteLimit: byteLimit)
        request.signer = service.signer(for: location.bucket)
        return request
    }

    /// Status and fields of an object; ``OriginError/notFound`` without one.
    package func head(
        _ location: S3Location, completion: @escaping @Sendable (Result<ResponseHead, OriginError>) -> Void
    ) {
        run("HEAD", location, completion: { completion($0.map(\.head)) })
    }

    /// The content of an object of at most `byteLimit` bytes, in memory; ``OriginError/notFound`` without one.
    package func get(
        _ location: S3Location, byteLimit: Int,
        completion: @escaping @Sendable (Result<[UInt8], OriginError>) -> Void
    ) {
        run("GET", location.bucket, key: location.key, byteLimit: byteLimit) { completion($0.map(\.content)) }
    }

    /// The entity tag may be empty; `ifAbsent` and an object: 412. Reads a file for its digest first: not for a loop. A large
    /// file goes in parts: see ``S3PartRules``.
    package func put(
        _ location: S3Location, _ content: ExchangeContent, contentType: String? = nil, ifAbsent: Bool = false,
        completion: @escaping @Sendable (Result<String, OriginError>) -> Void
    ) {
        if case .file(let file) = content, file.byteCount > rules.singleByteCount {
            return putParts(location, of: file, contentType: contentType, ifAbsent: ifAbsent, completion: completion)
        }
        guard content.byteCount <= Self.contentLimit else {
            return completion(.failure(.tooLarge(limit: Self.contentLimit)))
        }
        guard let digest = Self.digest(of: content) else { return completion(.failure(.notKept)) }
        var fields = Fields()
        fields.append(S3Signer.contentDigest, digest.hex)
        if let contentType { fields.append(.contentType, contentType) }
        if ifAbsent { fields.append(.ifNoneMatch, "*") }
        run("PUT", location, fields: fields, content: content) {
            completion($0.map { $0.head.fields.first(.entityTag) ?? "" })
        }
    }

    /// An object that is absent counts as removed.
    package func delete(_ location: S3Location, completion: @escaping @Sendable (Result<Void, OriginError>) -> Void) {
        run("DELETE", location) { result in
            switch result {
            case .success, .failure(.notFound): completion(.success(()))
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    /// At most `limit` objects whose keys begin with `prefix`, sorted; `after` is ``S3Listing/next`` of the listing before. The
    /// result is for ``cancel(_:)``.
    @discardableResult package func list(
        _ bucket: String, prefix: String = "", after: String? = nil, limit: Int = S3Storage.listingLimit,
        completion: @escaping @Sendable (Result<S3Listing, OriginError>) -> Void
    ) -> Fetcher.Ticket? {
        var query = [(name: "list-type", value: "2"), ("max-keys", "\(max(1, min(limit, Self.listingLimit)))")]
        if !prefix.isEmpty { query.append(("prefix", prefix)) }
        if let after { query.append(("continuation-token", after)) }
        return run("GET", bucket, query: query, byteLimit: S3Listing.byteLimit) { result in
            completion(
                result.flatMap { exchanged in
                    S3Listing(xml: exchanged.content).map { .success($0) } ?? .failure(.notHTTP)
                })
        }
    }

    /// Ends a request with ``OriginError/cancelled`` unless it is over.
    package func cancel(_ ticket: Fetcher.Ticket) { fetcher.cancel(ticket) }

    package func createBucket(_ bucket: String, completion: @escaping @Sendable (Result<Void, OriginError>) -> Void) {
        run("PUT", bucket) { completion($0.map { _ in }) }
    }

    // MARK: Exchanges

    private func run(
        _ method: String, _ location: S3Location, fields: Fields = Fields(), content: ExchangeContent? = nil,
        completion: @escaping @Sendable (Result<Exchanged, OriginError>) -> Void
    ) {
        run(method, location.bucket, key: location.key, fields: fields, content: content, completion: completion)
    }

    /// `patience`: how much longer than others the answer may take, in which nothing need come.
    @discardableResult func run(
        _ method: String, _ bucket: String, key: String = "", query: [(name: String, value: String)] = [],
        fields: Fields = Fields(), content: ExchangeContent? = nil, byteLimit: Int = 65_536,
        patience: Duration = .zero, completion: @escaping @Sendable (Result<Exchanged, OriginError>) -> Void
    ) -> Fetcher.Ticket? {
        guard service.buckets.contains(bucket), S3Location.isBucket(bucket) else {
            completion(.failure(.originNotAllowed))
            return nil
        }
        var request = ExchangeRequest(service.url(bucket, key: key, query: query))
        request.method = method
        request.fields = fields
        request.content = content ?? (method == "PUT" ? .bytes(SharedBytes([])) : nil)
        request.signer = service.signer(for: bucket)
        // At least a mebibyte a second is expected; the answer begins after all of the content.
        let sending = Duration.seconds((content?.byteCount ?? 0) >> 20)
        // Other exchanges may be as long.
        request.limits.wait += sending + patience
        request.limits.firstByte += sending + patience
        request.limits.total += sending + patience
        if patience > .zero { request.limits.slowBytesPerSecond = 0 }
        return fetcher.exchange(request, byteLimit: byteLimit) { completion($0.flatMap(Self.successful)) }
    }

    private static func successful(_ exchanged: Exchanged) -> Result<Exchanged, OriginError> {
        switch exchanged.head.status.code {
        case 200...299: .success(exchanged)
        case 404: .failure(.notFound)
        case 401, 403: .failure(.credentialsUnusable)
        case let code: .failure(.status(code))
        }
    }

    static func digest(of content: ExchangeContent) -> Digest256? {
        switch content {
        case .bytes(let bytes): return SHA256.digest(of: bytes)
        case .file, .part:
            guard let (file, start) = content.source else { return nil }
            let end = start + content.byteCount
            var hash = SHA256()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var offset = start
            while offset < end {
                let wanted = min(buffer.count, end - offset)
                let count = unsafe buffer.withUnsafeMutableBytes {
                    unsafe (try? file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), from: offset))
                        ?? 0
                }
                guard count > 0 else { return nil }
                hash.update(Array(buffer[..<count]))
                offset += count
            }
            return hash.digest()
        }
    }
}
