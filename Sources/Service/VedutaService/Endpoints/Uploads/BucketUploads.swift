import AssetLibrary
import Bytes
import ClientBudgets
import HTTPMessage
import HTTPServer
import JSON
import Origin
import Originals
import Reactor
import Renditions
import ResponseCache

/// `/assets` and the changes of `/assets/{id}` where uploads are objects in a bucket. A worker reads the content; while
/// the bucket is asked, nobody waits but the client. A change that was begun is carried out also when its client leaves.
struct BucketUploads {
    let context: RequestContext
    let bucket: UploadBucket

    // MARK: Listing

    /// `after` is what the page before named.
    func list(after: String, limit: Int) throws(EndpointError) -> Answer {
        let context = context
        try context.openBill()
        let abandonment = SharedFlag()
        let refuse: WorkerPool.Job = {
            context.bill?.close()
            context.respond(.failure(.busy))
        }
        let answer: @Sendable (Result<S3Listing, OriginalError>) -> Void = { result in
            // A worker writes the text: this thread drives all fetches.
            let isAdmitted = context.service.workers.submit(
                for: context.client, cancelledBy: abandonment, displaced: refuse
            ) {
                let write = { () -> Result<Response, EndpointError> in
                    result.mapError(EndpointError.original).map { context.json(Self.json($0, limit: limit)) }
                }
                context.respond(context.bill?.measure(write) ?? write())
                context.bill?.close()
            }
            if !isAdmitted { refuse() }
        }
        let leave: @Sendable () -> Void
        do throws(OriginalError) {
            leave = try bucket.list(
                after: after.isEmpty ? nil : after, limit: limit, for: context.client, done: answer)
        } catch {
            throw .original(error)
        }
        return .later(onAbandon: {
            abandonment.set()
            leave()
        })
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
                ) { content, name throws(EndpointError) in try BucketUpload(content, id: id, name: name) }
                Self.store(upload, isNamed: id != nil, where: context.head, in: bucket, context) { context.respond($0) }
            } catch {
                context.respond(.failure(error))
            }
        }
        guard isAdmitted else { throw .busy }
        return .later(onAbandon: {})
    }

    /// Writes the upload unless its digest is there already, if the preconditions of `conditions` hold, and purges what was
    /// made of an older one. `done` gets the answer, on any thread.
    static func store(
        _ upload: BucketUpload, isNamed: Bool, where conditions: RequestHead?, in bucket: UploadBucket,
        _ context: RequestContext, done: @escaping @Sendable (Result<Response, EndpointError>) -> Void
    ) {
        bucket.find(upload.id) { found in
            let isThere: Bool
            switch found {
            case .failure(let error): return done(.failure(.original(error)))
            case .success(let head):
                guard mayChange(head, where: conditions, context) else { return done(.failure(.preconditionFailed)) }
                isThere = head != nil
            }
            if isThere, !isNamed {
                return done(
                    found.mapError(EndpointError.original).map {
                        upload.response(.ok, $0?.fields.first(.entityTag), context)
                    })
            }
            // A worker reads the content for its digest.
            let isAdmitted = context.service.workers.submit {
                // `If-None-Match` is passed on to the bucket, where it knows of such conditions: as `*`, so not where there is an
                // object, of which it names another tag.
                let ifAbsent = !isThere && (conditions?.fields.contains(.ifNoneMatch) ?? false)
                bucket.write(upload.id, upload.content, mediaType: upload.mediaType, ifAbsent: ifAbsent) { written in
                    forget(upload.id, context) {
                        done(
                            written.mapError(EndpointError.original).map {
                                upload.response(isThere ? .ok : .created, $0, context)
                            })
                    }
                }
            }
            if !isAdmitted { done(.failure(.busy)) }
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
                guard Self.mayChange(head, where: context.head, context) else {
                    return context.respond(.failure(.preconditionFailed))
                }
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

    /// Whether the preconditions hold for the object, whose tag and date are the bucket's.
    private static func mayChange(
        _ object: ResponseHead?, where conditions: RequestHead?, _ context: RequestContext
    ) -> Bool {
        guard let conditions else { return true }
        let now = context.service.clock.unixSeconds()
        let validators = object.map { object in
            Validators(
                entityTag: object.fields.first(.entityTag).flatMap { EntityTag($0) },
                lastModified: object.fields.first(.lastModified).flatMap { HTTPDate.parse($0, now: now) })
        }
        return Preconditions.allowChange(conditions, of: validators, now: now)
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

    /// The bytes of an object, once they are here. They are fetched for the client's bill.
    func original(_ id: String) -> Answer {
        let (context, byteLimit) = (context, bucket.byteLimit)
        let service = context.service
        let answer: @Sendable (Int) -> Answer = { _ in
            context.orProblem { context throws(EndpointError) in
                try context.onWorker { () throws(EndpointError) in
                    let opened = try EndpointError.mapping { () throws(OriginalError) in
                        try service.originals.openFetched(id)
                    }
                    guard let fetched = opened else { throw .original(.absent) }
                    return try OriginalEndpoint.response(fetched, id: id, byteLimit: byteLimit, context)
                }
            }
        }
        let later = AssetPreparation([id], service.originals).flatMap { preparation in
            WorkMeter.$current.withValue(context.bill?.meter) {
                PausedRequest.wait(
                    for: preparation, from: 0, context.request, of: context.client, context.responder, next: answer,
                    refuse: { error in
                        context.refused(.rendition(context.bill?.refusal.map { .overBudget($0) } ?? error))
                    })
            }
        }
        return later ?? answer(0)
    }
}
