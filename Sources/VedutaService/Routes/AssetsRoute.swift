import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Parameters
import Reactor

/// `/assets` and the changes of `/assets/{id}`: what there is, and uploads, which are stored, replaced and removed.
struct AssetsRoute {
    /// The parameters of the list.
    static let table = ParameterTable([.init("after"), .init("limit")])
    /// How many assets a page has, unless the request says so, and at most.
    private static let usualCount = 100
    private static let countLimit = 1000

    let service: ServiceParts

    init(_ service: ServiceParts) {
        self.service = service
    }

    /// Where uploads are objects in a bucket.
    private var bucket: BucketRoute? { service.originals.bucket.map { BucketRoute(service, $0) } }

    // MARK: Listing

    /// A page of all assets.
    func list(_ request: Request, _ lines: PolicyLines, _ responder: Responder) throws(Problem) -> Answer {
        let (after, limit): (String, Int)
        do throws(ParameterFaults) {
            var reader = ParameterReader(try QueryItems.parse(request.head.target.query ?? ""), table: Self.table)
            after = reader.string("after") ?? ""
            limit = reader.int("limit", 1...Self.countLimit) ?? Self.usualCount
            try reader.finish()
        } catch {
            throw Problem(error)
        }
        if let bucket { return bucket.list(after: after, limit: limit, request, lines, responder) }
        let originals = service.originals
        return try onWorker(request, lines, .assets, responder) { () throws(Problem) in
            let listing = AssetListing(
                uploads: originals.uploads, folder: originals.library, mediaType: SourceMedia.readable)
            do throws(UploadError) {
                let page = try listing.page(after: after, limit: limit)
                let next = page.next.map { "/assets?after=\(AssetAddress.encoded($0))&limit=\(limit)" }
                return Self.response(.ok, AssetRecordJSON.text(page, next: next), request.head, lines)
            } catch {
                throw Problem(error)
            }
        }
    }

    // MARK: Changing

    /// Refuses a request that may not change anything here; what it sends is not even taken in.
    func admit(_ head: RequestHead, _ writes: WriteGuard) throws(Problem) {
        do throws(WriteGuard.Refusal) { try writes.check(head) } catch { throw Problem(error) }
        guard service.originals.uploadLimit != nil else { throw .uploadsAreOff }
    }

    /// What content the request may have; nil where it may have none.
    func contentRule(_ route: Route, _ head: RequestHead, _ writes: WriteGuard) -> ContentRule? {
        guard (route, head.method) == (.assets, .post) || (route, head.method) == (.assetDescription, .put),
            let byteLimit = service.originals.uploadLimit, (try? admit(head, writes)) != nil
        else { return nil }
        // A form has more than its file.
        let room = FormFile.isForm(head.fields) ? FormFile.frameByteCount : 0
        return ContentRule(byteLimit: byteLimit.addingReportingOverflow(room).partialValue)
    }

    /// Stores what the request brings under the id that follows from it.
    func create(
        _ request: Request, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        try admit(request.head, writes)
        try Self.checkNoQuery(request.head)
        if let bucket { return try bucket.store(nil, request, lines, responder) }
        let store = try AssetStore(service)
        return try onWorker(request, lines, .assets, responder) { () throws(Problem) in
            let stored = try FormFile.withContent(
                of: request, spoolFolder: store.uploads.spoolFolder, byteLimit: store.uploads.byteLimit
            ) { content, name throws(Problem) in
                try store.add(content, fileName: name)
            }
            return Self.response(stored, request.head, lines)
        }
    }

    /// Stores what the request brings under the name of its target.
    func replace(
        _ request: Request, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        try admit(request.head, writes)
        guard !request.head.fields.contains(.contentRange) else { throw .partialPut }
        let id = try name(request.head.target)
        if let bucket {
            try service.originals.checkFree(id)
            return try bucket.store(id, request, lines, responder)
        }
        let store = try AssetStore(service)
        let clock = service.clock
        return try onWorker(request, lines, .assetDescription, responder) { () throws(Problem) in
            let stored = try FormFile.withContent(
                of: request, spoolFolder: store.uploads.spoolFolder, byteLimit: store.uploads.byteLimit
            ) { content, name throws(Problem) in
                try store.put(id, content, fileName: name, where: request.head, now: clock.unixSeconds())
            }
            return Self.response(stored, request.head, lines)
        }
    }

    /// Removes the asset, and all that was made of it.
    func remove(
        _ request: Request, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        try admit(request.head, writes)
        let id = try name(request.head.target)
        if let bucket {
            try service.originals.checkNotInFolder(id)
            return bucket.remove(id, request, lines, responder)
        }
        let store = try AssetStore(service)
        let clock = service.clock
        return try onWorker(request, lines, .assetDescription, responder) { () throws(Problem) in
            try store.remove(id, where: request.head, now: clock.unixSeconds())
            return Response(status: .noContent, fields: lines.common)
        }
    }

    /// The id in the path, which must be one that an upload can have.
    private func name(_ target: RequestTarget) throws(Problem) -> String {
        let id = try DescribedPath.id(target)
        do throws(UploadError) {
            try UploadLibrary.checkID(id)
        } catch {
            throw Problem(error, id: id)
        }
        return id
    }

    private static func checkNoQuery(_ head: RequestHead) throws(Problem) {
        do throws(ParameterFaults) {
            let reader = ParameterReader(try QueryItems.parse(head.target.query ?? ""), table: ParameterTable([]))
            try reader.finish()
        } catch {
            throw Problem(error)
        }
    }

    // MARK: Answering

    /// Answers on a worker, as it waits for the disk. It is carried out also when its client leaves.
    func onWorker(
        _ request: Request, _ lines: PolicyLines, _ route: Route, _ responder: Responder,
        _ body: @escaping @Sendable () throws(Problem) -> Response
    ) throws(Problem) -> Answer {
        let service = service
        let isAdmitted = service.workers.submit {
            do throws(Problem) {
                let response = try body()
                service.metrics.answered(route, response.status)
                responder.respond(response)
            } catch {
                responder.respond(
                    ProblemReply.response(
                        error, to: request, lines, route: route, metrics: service.metrics, log: service.log))
            }
        }
        guard isAdmitted else { throw .overloaded }
        return .later(onAbandon: {})
    }

    private static func response(_ stored: StoredUpload, _ head: RequestHead, _ lines: PolicyLines) -> Response {
        var response = response(
            stored.outcome == .created ? .created : .ok, AssetRecordJSON.text(stored.record), head, lines)
        if stored.outcome == .created { response.ownFields.append(.location, AssetAddress.path(stored.record.id)) }
        if let tag = AssetStore.entityTag(stored.record) { response.ownFields.append(.entityTag, tag) }
        return response
    }

    /// JSON that nobody keeps, in answer to `head`.
    static func response(_ status: Status, _ json: String, _ head: RequestHead, _ lines: PolicyLines) -> Response {
        let text = CodedText(json, for: head)
        var fields = FieldLines()
        text.append(to: &fields)
        fields.append(.contentType, literal: "application/json")
        fields.append(.cacheControl, literal: "no-store")
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(lines.common)
        return Response(status: status, fields: fields, content: text.content)
    }
}
