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

/// `/assets` and the changes of `/assets/{id}` where uploads are objects in a bucket. A worker reads the content; while
/// the bucket is asked, nobody waits but the client. What was begun is carried out also when its client leaves.
struct BucketUploads {
    let context: RequestContext
    let bucket: UploadBucket

    // MARK: Listing

    /// `after` is what the page before named.
    func list(after: String, limit: Int) -> Answer {
        let context = context
        bucket.list(after: after.isEmpty ? nil : after, limit: limit) { result in
            // A worker writes the text: this thread drives all fetches.
            let isAdmitted = context.service.workers.submit {
                context.respond(
                    result.mapError(EndpointError.original).map { context.json(Self.json($0, limit: limit)) })
            }
            if !isAdmitted { context.respond(.failure(.busy)) }
        }
        return .later(onAbandon: {})
    }

    private static func json(_ listing: S3Listing, limit: Int) -> String {
        JSONText.line { json in
            json.array("items", of: listing.objects) { json, object in
                json.object { json in
                    json.member("id", object.key)
                    json.member("origin", Originals.isUpload(object.key) ? "upload" : "name")
                    json.member("bytes", object.byteCount)
                }
            }
            json.member("next", listing.next.map { "/assets?after=\(PercentEncoding.encoded($0))&limit=\(limit)" })
        }
    }

    // MARK: Changing

    /// Stores the content under `id`, or the id of its digest.
    func store(_ id: String?) throws(EndpointError) -> Answer {
        let (bucket, context) = (bucket, context)
        let isAdmitted = context.service.workers.submit {
            do throws(EndpointError) {
                let upload = try FormFile.withContent(
                    of: context.request, spoolFolder: bucket.spoolFolder, byteLimit: bucket.byteLimit
                ) { content, name throws(EndpointError) in try Upload(content, id: id, name: name) }
                Self.store(upload, isNamed: id != nil, bucket, context)
            } catch {
                context.respond(.failure(error))
            }
        }
        guard isAdmitted else { throw .busy }
        return .later(onAbandon: {})
    }

    private static func store(_ upload: Upload, isNamed: Bool, _ bucket: UploadBucket, _ context: RequestContext) {
        bucket.find(upload.id) { found in
            let isThere: Bool
            switch found {
            case .failure(let error): return context.respond(.failure(.original(error)))
            case .success(let head):
                guard mayChange(head, context) else { return context.respond(.failure(.preconditionFailed)) }
                isThere = head != nil
            }
            if isThere, !isNamed {
                return context.respond(
                    found.mapError(EndpointError.original).map {
                        upload.response(.ok, $0?.fields.first(.entityTag), context)
                    })
            }
            // A worker reads the content for its digest.
            let isAdmitted = context.service.workers.submit {
                // `If-None-Match` is passed on to the bucket, where it knows of such conditions.
                let ifAbsent = context.request.head.fields.contains(.ifNoneMatch)
                bucket.write(upload.id, upload.content, mediaType: upload.mediaType, ifAbsent: ifAbsent) { written in
                    forget(upload.id, context) {
                        context.respond(
                            written.mapError(EndpointError.original).map {
                                upload.response(isThere ? .ok : .created, $0, context)
                            })
                    }
                }
            }
            if !isAdmitted { context.respond(.failure(.busy)) }
        }
    }

    /// Removes an object, and everything that was made of it.
    func remove(_ id: String) -> Answer {
        let context = context
        let bucket = bucket
        bucket.find(id) { found in
            switch found {
            case .failure(let error): return context.respond(.failure(.original(error)))
            case .success(nil): return context.respond(.failure(.original(.absent)))
            case .success(let head):
                guard Self.mayChange(head, context) else { return context.respond(.failure(.preconditionFailed)) }
            }
            bucket.remove(id) { removed in
                Self.forget(id, context) {
                    context.respond(
                        removed.mapError(EndpointError.original).map {
                            Response(status: .noContent, fields: context.lines.common)
                        })
                }
            }
        }
        return .later(onAbandon: {})
    }

    /// Whether the preconditions hold for the object, whose tag is the bucket's.
    private static func mayChange(_ head: ResponseHead?, _ context: RequestContext) -> Bool {
        let fields = context.request.head.fields
        guard let head else { return !fields.contains(.ifMatch) }
        let validators = Validators(entityTag: head.fields.first(.entityTag).flatMap { EntityTag($0) })
        return context.evaluate(validators) == .proceed
    }

    /// Purges an asset, and then goes on.
    private static func forget(_ id: String, _ context: RequestContext, _ next: @escaping @Sendable () -> Void) {
        let service = context.service
        // The object may have been asked for by its own name as well.
        let ids = [id] + [try? service.originals.bucket?.location(id).description].compactMap(\.self)
        for id in ids { service.forget(CacheTag(assetID: id)) }
        let isAdmitted = service.workers.submit {
            for id in ids { _ = service.purge(.asset(id)) }
            next()
        }
        // The change is done: older images are as old as their lifetime allows, at most.
        if !isAdmitted { next() }
    }

    // MARK: Originals

    /// The bytes of an object, once they are here.
    func original(_ id: String) -> Answer {
        let (context, byteLimit) = (context, bucket.byteLimit)
        let service = context.service
        let answer: @Sendable (Int) -> Answer = { _ in
            context.orProblem { context throws(EndpointError) in
                try context.onWorker { () throws(EndpointError) in
                    let opened = try EndpointError.mapping { () throws(OriginalError) in try service.originals.open(id)
                    }
                    guard let original = opened else { throw .original(.absent) }
                    return try OriginalEndpoint.response(original, id: id, byteLimit: byteLimit, context)
                }
            }
        }
        let later = AssetPreparation([id], service.originals).flatMap { preparation in
            PausedRequest.wait(
                for: preparation, from: 0, context.request, context.responder, next: answer,
                refuse: { context.refused(.rendition($0)) })
        }
        return later ?? answer(0)
    }
}

private struct Upload: Sendable {
    let id: String
    let content: ExchangeContent
    let mediaType: String
    private let digest: Digest256
    private let fileName: String?

    init(_ content: UploadContent, id: String?, name: String?) throws(EndpointError) {
        let examined: ExaminedContent
        do throws(Errno) {
            examined = try content.examine()
            self.content =
                switch content {
                case .bytes(let bytes): .bytes(bytes)
                case .file(let number, let byteCount):
                    .file(SharedFile(adopting: try FileDescriptor.duplicate(number), byteCount: byteCount))
                }
        } catch {
            throw .upload(UploadError(error))
        }
        guard let mediaType = SourceMedia.readable(examined.head) else { throw .upload(.unknownMedia) }
        self.mediaType = mediaType
        digest = examined.digest
        let ownID = "~" + digest.base64URL()
        // The id of a digest is that of no other content.
        if let id, Originals.isUpload(id), id != ownID { throw .upload(.invalidID(.reservedPrefix), id: id) }
        self.id = id ?? ownID
        fileName = name
    }

    /// `entityTag`: the bucket's.
    func response(_ status: Status, _ entityTag: String?, _ context: RequestContext) -> Response {
        let json = JSONText.line { json in
            json.member("id", id)
            json.member("origin", Originals.isUpload(id) ? "upload" : "name")
            json.member("bytes", content.byteCount)
            json.member("mediaType", mediaType)
            json.member("sha256", digest.hex)
            json.member("fileName", fileName)
        }
        var response = context.json(json, status: status)
        if let tag = entityTag.flatMap({ EntityTag($0) }) { response.ownFields.append(.entityTag, tag) }
        if status == .created { response.ownFields.append(.location, AssetAddress.path(id)) }
        return response
    }
}
