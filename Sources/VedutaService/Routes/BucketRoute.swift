import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import Origin
import Reactor
import ResponseCache

/// `/assets` and the changes of `/assets/{id}` where uploads are objects in a bucket. A worker reads what was sent; while the
/// bucket is spoken to, nobody waits but the client. What was begun is carried out also when its client leaves.
struct BucketRoute {
    private let service: ServiceParts
    private let bucket: UploadBucket

    init(_ service: ServiceParts, _ bucket: UploadBucket) {
        self.service = service
        self.bucket = bucket
    }

    /// What of a request is needed to answer it later.
    private struct Exchange: Sendable {
        let request: Request
        let lines: PolicyLines
        let route: Route
        let responder: Responder
        let service: ServiceParts

        func answer(_ result: Result<Response, Problem>) {
            switch result {
            case .success(let response):
                service.metrics.answered(route, response.status)
                responder.respond(response)
            case .failure(let problem):
                responder.respond(
                    ProblemReply.response(
                        problem, to: request, lines, route: route, metrics: service.metrics, log: service.log))
            }
        }
    }

    // MARK: Listing

    /// A page of all objects; `after` is what the page before named.
    func list(after: String, limit: Int, _ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        let exchange = Exchange(request: request, lines: lines, route: .assets, responder: responder, service: service)
        bucket.list(after: after.isEmpty ? nil : after, limit: limit) { result in
            // Writing the text and compressing it is a worker's job: this thread drives all fetches.
            let isAdmitted = exchange.service.workers.submit {
                exchange.answer(
                    result.map { AssetsRoute.response(.ok, Self.json($0, limit: limit), request.head, lines) })
            }
            if !isAdmitted { exchange.answer(.failure(.overloaded)) }
        }
        return .later(onAbandon: {})
    }

    private static func json(_ listing: S3Listing, limit: Int) -> String {
        var json = JSONText()
        json.object { json in
            json.name("items")
            json.array { json in
                for object in listing.objects {
                    json.object { json in
                        json.member("id", object.key)
                        json.member("origin", Originals.isUpload(object.key) ? "upload" : "name")
                        json.member("bytes", object.byteCount)
                    }
                }
            }
            json.member("next", listing.next.map { "/assets?after=\(AssetAddress.encoded($0))&limit=\(limit)" })
        }
        return json.text + "\n"
    }

    // MARK: Changing

    /// Stores what the request brings, under `id` or the id that follows from it.
    func store(
        _ id: String?, _ request: Request, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        let exchange = Exchange(
            request: request, lines: lines, route: id == nil ? .assets : .assetDescription, responder: responder,
            service: service)
        let (bucket, service) = (bucket, service)
        let isAdmitted = service.workers.submit {
            do throws(Problem) {
                let upload = try FormFile.withContent(
                    of: request, spoolFolder: bucket.spoolFolder, byteLimit: bucket.byteLimit
                ) { content, name throws(Problem) in try Upload(content, id: id, name: name) }
                Self.store(upload, isNamed: id != nil, bucket, exchange)
            } catch {
                exchange.answer(.failure(error))
            }
        }
        guard isAdmitted else { throw .overloaded }
        return .later(onAbandon: {})
    }

    private static func store(_ upload: Upload, isNamed: Bool, _ bucket: UploadBucket, _ exchange: Exchange) {
        bucket.find(upload.id) { found in
            let isThere: Bool
            switch found {
            case .failure(let problem): return exchange.answer(.failure(problem))
            case .success(let head):
                guard mayChange(head, exchange) else { return exchange.answer(.failure(.preconditionFailed)) }
                isThere = head != nil
            }
            // The same octets are there already.
            if isThere, !isNamed {
                return exchange.answer(
                    found.map {
                        upload.response(.ok, $0?.fields.first(.entityTag), exchange.request.head, exchange.lines)
                    })
            }
            // Reading the content for its digest is a worker's job.
            let isAdmitted = exchange.service.workers.submit {
                // Who wants nothing replaced is asked once more by the bucket itself, where it knows of such conditions.
                let ifAbsent = exchange.request.head.fields.contains(.ifNoneMatch)
                bucket.write(upload.id, upload.content, mediaType: upload.mediaType, ifAbsent: ifAbsent) { written in
                    forget(upload.id, exchange) {
                        exchange.answer(
                            written.map {
                                upload.response(isThere ? .ok : .created, $0, exchange.request.head, exchange.lines)
                            })
                    }
                }
            }
            if !isAdmitted { exchange.answer(.failure(.overloaded)) }
        }
    }

    /// Removes an object, and all that was made of it.
    func remove(
        _ id: String, _ request: Request, _ lines: PolicyLines, _ responder: Responder
    ) -> Answer {
        let exchange = Exchange(
            request: request, lines: lines, route: .assetDescription, responder: responder, service: service)
        let bucket = bucket
        bucket.find(id) { found in
            switch found {
            case .failure(let problem): return exchange.answer(.failure(problem))
            case .success(nil): return exchange.answer(.failure(.assetNotFound))
            case .success(let head):
                guard Self.mayChange(head, exchange) else { return exchange.answer(.failure(.preconditionFailed)) }
            }
            bucket.remove(id) { removed in
                Self.forget(id, exchange) {
                    exchange.answer(removed.map { Response(status: .noContent, fields: lines.common) })
                }
            }
        }
        return .later(onAbandon: {})
    }

    /// Whether the preconditions of the request hold for the object that is there; its tag is the bucket's.
    private static func mayChange(_ head: ResponseHead?, _ exchange: Exchange) -> Bool {
        let fields = exchange.request.head.fields
        guard let head else { return !fields.contains(.ifMatch) }
        let validators = Validators(entityTag: head.fields.first(.entityTag).flatMap { EntityTag($0) })
        return Preconditions.evaluate(
            exchange.request.head.method, fields, validators, now: exchange.service.clock.unixSeconds()) == .proceed
    }

    /// Forgets what was made of an asset, and what was known of it, and then goes on.
    private static func forget(_ id: String, _ exchange: Exchange, _ next: @escaping @Sendable () -> Void) {
        let delivery = exchange.service.delivery
        // The object may have been asked for by its own name as well.
        let ids = [id] + [try? exchange.service.originals.bucket?.location(id).description].compactMap(\.self)
        for id in ids { delivery.remote?.forget(CacheTag(assetID: id)) }
        let isAdmitted = exchange.service.workers.submit {
            for id in ids { _ = delivery.purge(.asset(id)) }
            next()
        }
        // The change is done: pictures of before are as old as their lifetime allows, at most.
        if !isAdmitted { next() }
    }

    // MARK: Originals

    /// The octets of an object, once they are here.
    func original(_ id: String, _ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        let exchange = Exchange(
            request: request, lines: lines, route: .original, responder: responder, service: service)
        let (service, limit) = (service, bucket.byteLimit)
        let answer: @Sendable (Int) -> Answer = { _ in
            let isAdmitted = service.workers.submit {
                exchange.answer(
                    Result { () throws(Problem) in
                        guard let original = try service.originals.open(id) else { throw .assetNotFound }
                        return try OriginalRoute.response(
                            original, limit: limit, id, exchange.request, lines, service)
                    })
            }
            if !isAdmitted { exchange.answer(.failure(.overloaded)) }
            return .later(onAbandon: {})
        }
        let refuse: (Problem) -> Answer = { problem in
            exchange.answer(.failure(problem))
            return .later(onAbandon: {})
        }
        return service.delivery.waitForOriginals(
            PicturePreparation([id], service.originals), from: 0, request, responder, next: answer, refuse: refuse)
            ?? answer(0)
    }
}

/// What was sent to be stored, and what it is.
private struct Upload: Sendable {
    let id: String
    let content: ExchangeContent
    let mediaType: String
    private let digest: Digest256
    private let fileName: String?

    /// Reads all of `content`, which is let go of after this.
    init(_ content: UploadContent, id: String?, name: String?) throws(Problem) {
        let head: SharedBytes
        switch content {
        case .octets(let octets): (self.content, head, digest) = (.bytes(octets), octets, SHA256.digest(of: octets))
        case .file(let number, let byteCount):
            do throws(Errno) {
                let file = SharedFile(adopting: try FileDescriptor.duplicate(number), byteCount: byteCount)
                (head, digest) = try Self.read(file)
                self.content = .file(file)
            } catch {
                throw Problem(UploadError(error))
            }
        }
        guard let mediaType = SourceMedia.readable(head) else { throw Problem(UploadError.unknownMedia) }
        self.mediaType = mediaType
        let ownID = "~" + digest.base64URL()
        // An id that names content by its digest is that of no other content.
        if let id, Originals.isUpload(id), id != ownID { throw Problem(UploadError.invalidID(.reservedPrefix), id: id) }
        self.id = id ?? ownID
        fileName = name
    }

    /// The first octets of a file, and the digest of all.
    private static func read(_ file: SharedFile) throws(Errno) -> (SharedBytes, Digest256) {
        var hash = SHA256()
        var head: SharedBytes?
        var offset = 0
        while offset < file.byteCount || head == nil {
            var piece = [UInt8](repeating: 0, count: min(1 << 18, file.byteCount - offset))
            let outcome: Result<Int, Errno> = piece.withUnsafeMutableBytes { buffer in
                do throws(Errno) { return .success(try file.read(into: buffer, from: offset)) } catch {
                    return .failure(error)
                }
            }
            guard try outcome.get() == piece.count else { throw Errno(code: 5) }
            hash.update(piece)
            if head == nil { head = SharedBytes(piece) }
            offset += piece.count
        }
        return (head ?? SharedBytes([]), hash.digest())
    }

    /// `entityTag`: what the bucket calls this content.
    func response(_ status: Status, _ entityTag: String?, _ head: RequestHead, _ lines: PolicyLines) -> Response {
        var json = JSONText()
        json.object { json in
            json.member("id", id)
            json.member("origin", Originals.isUpload(id) ? "upload" : "name")
            json.member("bytes", content.byteCount)
            json.member("mediaType", mediaType)
            json.member("sha256", digest.hex)
            json.member("fileName", fileName)
        }
        var response = AssetsRoute.response(status, json.text + "\n", head, lines)
        if let tag = entityTag.flatMap({ EntityTag($0) }) { response.ownFields.append(.entityTag, tag) }
        if status == .created { response.ownFields.append(.location, AssetAddress.path(id)) }
        return response
    }
}
