import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Originals
import Parameters
import Reactor
import Renditions

/// `/assets` and the changes of `/assets/{id}`: what there is, and uploads, which are stored, replaced and removed.
enum AssetsEndpoint {
    /// The parameters of the list.
    static let table = ParameterTable([.init("after"), .init("limit")])
    /// How many assets a page has, unless the request says so, and at most.
    private static let usualCount = 100
    private static let countLimit = 1000

    static func answer(_ context: RequestContext) throws(Problem) -> Answer {
        context.head.method == .post ? try create(context) : try list(context)
    }

    /// Where uploads are objects in a bucket.
    private static func bucket(_ context: RequestContext) -> BucketUploads? {
        context.service.originals.bucket.map { BucketUploads(context, $0) }
    }

    // MARK: Listing

    /// A page of all assets.
    private static func list(_ context: RequestContext) throws(Problem) -> Answer {
        let (after, limit) = try context.parameters(table) { reader in
            (reader.string("after") ?? "", reader.int("limit", 1...countLimit) ?? usualCount)
        }
        if let bucket = bucket(context) { return bucket.list(after: after, limit: limit) }
        let originals = context.service.originals
        return try context.onWorker { () throws(Problem) in
            let listing = AssetListing(
                uploads: originals.uploads, folder: originals.library, mediaType: SourceMedia.readable)
            do throws(UploadError) {
                let page = try listing.page(after: after, limit: limit)
                let next = page.next.map { "/assets?after=\(PercentEncoding.encoded($0))&limit=\(limit)" }
                return context.json(AssetRecordJSON.text(page, next: next))
            } catch {
                throw Problem(error)
            }
        }
    }

    // MARK: Changing

    /// Refuses a request that may not change anything here; what it sends is not even taken in.
    private static func admit(_ context: RequestContext) throws(Problem) {
        try context.checkMayWrite()
        guard context.service.originals.uploadLimit != nil else { throw .uploadsAreOff }
    }

    /// What content the request with `head` may have; nil where it may have none.
    static func contentRule(_ head: RequestHead, _ writes: WriteGuard, _ originals: Originals) -> ContentRule? {
        guard head.method == .post || head.method == .put, let byteLimit = originals.uploadLimit,
            (try? writes.check(head)) != nil
        else { return nil }
        // A form has more than its file.
        let room = FormFile.isForm(head.fields) ? FormFile.frameByteCount : 0
        return ContentRule(byteLimit: byteLimit.addingReportingOverflow(room).partialValue)
    }

    /// Stores what the request brings under the id that follows from it.
    private static func create(_ context: RequestContext) throws(Problem) -> Answer {
        try admit(context)
        try context.checkHasNoQuery()
        if let bucket = bucket(context) { return try bucket.store(nil) }
        let store = try AssetStore(context.service)
        return try context.onWorker { () throws(Problem) in
            let stored = try FormFile.withContent(
                of: context.request, spoolFolder: store.uploads.spoolFolder, byteLimit: store.uploads.byteLimit
            ) { content, name throws(Problem) in
                try Problem.wording { () throws(OriginalError) in try store.add(content, fileName: name) }
            }
            return response(stored, context)
        }
    }

    /// Stores what the request brings under the name of its target.
    static func replace(_ context: RequestContext) throws(Problem) -> Answer {
        try admit(context)
        guard !context.head.fields.contains(.contentRange) else { throw .partialPut }
        let id = try name(context.head.target)
        let service = context.service
        if let bucket = bucket(context) {
            try Problem.wording { () throws(OriginalError) in try service.originals.checkFree(id) }
            return try bucket.store(id)
        }
        let store = try AssetStore(service)
        return try context.onWorker { () throws(Problem) in
            let stored = try FormFile.withContent(
                of: context.request, spoolFolder: store.uploads.spoolFolder, byteLimit: store.uploads.byteLimit
            ) { content, name throws(Problem) in
                try Problem.wording { () throws(OriginalError) in
                    try store.put(id, content, fileName: name, where: context.head, now: service.clock.unixSeconds())
                }
            }
            return response(stored, context)
        }
    }

    /// Removes the asset, and all that was made of it.
    static func remove(_ context: RequestContext) throws(Problem) -> Answer {
        try admit(context)
        let id = try name(context.head.target)
        let service = context.service
        if let bucket = bucket(context) {
            try Problem.wording { () throws(OriginalError) in try service.originals.checkNotInFolder(id) }
            return bucket.remove(id)
        }
        let store = try AssetStore(service)
        return try context.onWorker { () throws(Problem) in
            try Problem.wording { () throws(OriginalError) in
                try store.remove(id, where: context.head, now: service.clock.unixSeconds())
            }
            return Response(status: .noContent, fields: context.lines.common)
        }
    }

    /// The id in the path, which must be one that an upload can have.
    private static func name(_ target: RequestTarget) throws(Problem) -> String {
        let id = try DescribedPath.id(target)
        do throws(UploadError) {
            try UploadLibrary.checkID(id)
        } catch {
            throw Problem(error, id: id)
        }
        return id
    }

    private static func response(_ stored: StoredUpload, _ context: RequestContext) -> Response {
        var response = context.json(
            AssetRecordJSON.text(stored.record), status: stored.outcome == .created ? .created : .ok)
        if stored.outcome == .created { response.ownFields.append(.location, AssetAddress.path(stored.record.id)) }
        if let tag = AssetStore.entityTag(stored.record) { response.ownFields.append(.entityTag, tag) }
        return response
    }
}

extension AssetStore {
    /// - Throws: that this server takes no uploads.
    init(_ service: ServiceParts) throws(Problem) {
        guard let uploads = service.originals.uploads else { throw .uploadsAreOff }
        self.init(uploads, folder: service.originals.library) { _ = service.purge(.asset($0)) }
    }
}
