import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import JSON
import Origin
import Originals
import Reactor
import Renditions
import ResponseCache

/// `/assets` and the changes of `/assets/{id}` where uploads are objects in a bucket. A worker reads what was sent; while the
/// bucket is spoken to, nobody waits but the client. What was begun is carried out also when its client leaves.
struct BucketUploads {
    private let context: RequestContext
    private let bucket: UploadBucket

    init(_ context: RequestContext, _ bucket: UploadBucket) {
        self.context = context
        self.bucket = bucket
    }

    // MARK: Listing

    /// A page of all objects; `after` is what the page before named.
    func list(after: String, limit: Int) -> Answer {
        let context = context
        bucket.list(after: after.isEmpty ? nil : after, limit: limit) { result in
            // Writing the text and compressing it is a worker's job: this thread drives all fetches.
            let isAdmitted = context.service.workers.submit {
                context.respond(result.mapError(Problem.init).map { context.json(Self.json($0, limit: limit)) })
            }
            if !isAdmitted { context.respond(.failure(.overloaded)) }
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
            json.member("next", listing.next.map { "/assets?after=\(PercentEncoding.encoded($0))&limit=\(limit)" })
        }
        return json.text + "\n"
    }

    // MARK: Changing

    /// Stores what the request brings, under `id` or the id that follows from it.
    func store(_ id: String?) throws(Problem) -> Answer {
        let (bucket, context) = (bucket, context)
        let isAdmitted = context.service.workers.submit {
            do throws(Problem) {
                let upload = try FormFile.withContent(
                    of: context.request, spoolFolder: bucket.spoolFolder, byteLimit: bucket.byteLimit
                ) { content, name throws(Problem) in try Upload(content, id: id, name: name) }
                Self.store(upload, isNamed: id != nil, bucket, context)
            } catch {
                context.respond(.failure(error))
            }
        }
        guard isAdmitted else { throw .overloaded }
        return .later(onAbandon: {})
    }

    private static func store(_ upload: Upload, isNamed: Bool, _ bucket: UploadBucket, _ context: RequestContext) {
        bucket.find(upload.id) { found in
            let isThere: Bool
            switch found {
            case .failure(let error): return context.respond(.failure(Problem(error)))
            case .success(let head):
                guard mayChange(head, context) else { return context.respond(.failure(.preconditionFailed)) }
                isThere = head != nil
            }
            // The same bytes are there already.
            if isThere, !isNamed {
                return context.respond(
                    found.mapError(Problem.init).map {
                        upload.response(.ok, $0?.fields.first(.entityTag), context)
                    })
            }
            // Reading the content for its digest is a worker's job.
            let isAdmitted = context.service.workers.submit {
                // Who wants nothing replaced is asked once more by the bucket itself, where it knows of such conditions.
                let ifAbsent = context.request.head.fields.contains(.ifNoneMatch)
                bucket.write(upload.id, upload.content, mediaType: upload.mediaType, ifAbsent: ifAbsent) { written in
                    forget(upload.id, context) {
                        context.respond(
                            written.mapError(Problem.init).map {
                                upload.response(isThere ? .ok : .created, $0, context)
                            })
                    }
                }
            }
            if !isAdmitted { context.respond(.failure(.overloaded)) }
        }
    }

    /// Removes an object, and all that was made of it.
    func remove(_ id: String) -> Answer {
        let context = context
        let bucket = bucket
        bucket.find(id) { found in
            switch found {
            case .failure(let error): return context.respond(.failure(Problem(error)))
            case .success(nil): return context.respond(.failure(.assetNotFound))
            case .success(let head):
                guard Self.mayChange(head, context) else { return context.respond(.failure(.preconditionFailed)) }
            }
            bucket.remove(id) { removed in
                Self.forget(id, context) {
                    context.respond(
                        removed.mapError(Problem.init).map {
                            Response(status: .noContent, fields: context.lines.common)
                        })
                }
            }
        }
        return .later(onAbandon: {})
    }

    /// Whether the preconditions of the request hold for the object that is there; its tag is the bucket's.
    private static func mayChange(_ head: ResponseHead?, _ context: RequestContext) -> Bool {
        let fields = context.request.head.fields
        guard let head else { return !fields.contains(.ifMatch) }
        let validators = Validators(entityTag: head.fields.first(.entityTag).flatMap { EntityTag($0) })
        return context.evaluate(validators) == .proceed
    }

    /// Forgets what was made of an asset, and what was known of it, and then goes on.
    private static func forget(_ id: String, _ context: RequestContext, _ next: @escaping @Sendable () -> Void) {
        let service = context.service
        // The object may have been asked for by its own name as well.
        let ids = [id] + [try? service.originals.bucket?.location(id).description].compactMap(\.self)
        for id in ids { service.forget(CacheTag(assetID: id)) }
        let isAdmitted = service.workers.submit {
            for id in ids { _ = service.purge(.asset(id)) }
            next()
        }
        // The change is done: pictures of before are as old as their lifetime allows, at most.
        if !isAdmitted { next() }
    }

    // MARK: Originals

    /// The bytes of an object, once they are here.
    func original(_ id: String) -> Answer {
        let (context, byteLimit) = (context, bucket.byteLimit)
        let service = context.service
        let answer: @Sendable (Int) -> Answer = { _ in
            context.orProblem { context throws(Problem) in
                try context.onWorker { () throws(Problem) in
                    let opened = try Problem.wording { () throws(OriginalError) in try service.originals.open(id) }
                    guard let original = opened else { throw .assetNotFound }
                    return try OriginalEndpoint.response(original, id: id, byteLimit: byteLimit, context)
                }
            }
        }
        let later = AssetPreparation([id], service.originals).flatMap { preparation in
            PausedRequest.wait(
                for: preparation, from: 0, context.request, context.responder, next: answer,
                refuse: { context.refused(Problem($0)) })
        }
        return later ?? answer(0)
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
        case .bytes(let bytes): (self.content, head, digest) = (.bytes(bytes), bytes, SHA256.digest(of: bytes))
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

    /// The first bytes of a file, and the digest of all.
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
    func response(_ status: Status, _ entityTag: String?, _ context: RequestContext) -> Response {
        var json = JSONText()
        json.object { json in
            json.member("id", id)
            json.member("origin", Originals.isUpload(id) ? "upload" : "name")
            json.member("bytes", content.byteCount)
            json.member("mediaType", mediaType)
            json.member("sha256", digest.hex)
            json.member("fileName", fileName)
        }
        var response = context.json(json.text + "\n", status: status)
        if let tag = entityTag.flatMap({ EntityTag($0) }) { response.ownFields.append(.entityTag, tag) }
        if status == .created { response.ownFields.append(.location, AssetAddress.path(id)) }
        return response
    }
}
