import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import JSON
import Originals
import Parameters
import Reactor
import Renditions

/// `/assets` and the changes of `/assets/{id}`: the list, and uploads, which are stored, replaced and removed.
enum AssetsEndpoint {
    static let table = ParameterTable([.init("after"), .init("limit")])
    /// Assets of a page: by default, and at most.
    private static let usualCount = 100
    private static let countLimit = 1000

    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        context.head.method == .post ? try create(context) : try list(context)
    }

    /// nil unless uploads are objects in a bucket.
    private static func bucket(_ context: RequestContext) -> BucketUploads? {
        context.service.originals.bucket.map { BucketUploads(context: context, bucket: $0) }
    }

    // MARK: Listing

    private static func list(_ context: RequestContext) throws(EndpointError) -> Answer {
        let (after, limit) = try context.parameters(table) { reader in
            (reader.string("after") ?? "", reader.int("limit", 1...countLimit) ?? usualCount)
        }
        if let bucket = bucket(context) { return try bucket.list(after: after, limit: limit) }
        let originals = context.service.originals
        return try context.beginStoppable { stop throws(EndpointError) in
            let listing = AssetListing(
                uploads: originals.uploads, folder: originals.library, mediaType: SourceMedia.readable)
            do throws(UploadError) {
                guard let page = try listing.page(after: after, limit: limit, unless: { stop?.isSet == true })
                else { return nil }
                let next = page.next.map { "/assets?after=\(PercentEncoding.encoded($0))&limit=\(limit)" }
                return context.json(AssetRecordJSON.text(page, next: next))
            } catch {
                throw .upload(error)
            }
        }
    }

    // MARK: Changing

    /// Refuses a request that may not change anything; its content is not even taken in.
    private static func admit(_ context: RequestContext) throws(EndpointError) {
        try context.checkMayWrite()
        guard context.service.originals.uploadLimit != nil else { throw .uploadsOff }
    }

    /// nil where the request may have no content.
    static func contentRule(_ head: RequestHead, _ writes: WriteGuard, _ originals: Originals) -> ContentRule? {
        guard head.method == .post || head.method == .put, let byteLimit = originals.uploadLimit,
            (try? writes.check(head)) != nil
        else { return nil }
        let room = FormFile.isForm(head.fields) ? FormFile.frameByteCount : 0
        return ContentRule(byteLimit: byteLimit.addingReportingOverflow(room).partialValue)
    }

    /// Stores the content under the id of its digest.
    private static func create(_ context: RequestContext) throws(EndpointError) -> Answer {
        try admit(context)
        try context.checkHasNoQuery()
        if let answer = try DraftUploadService.creation(context) { return answer }
        if let bucket = bucket(context) { return try bucket.store(nil) }
        let store = try AssetStore(context.service)
        return try context.onWorker { () throws(EndpointError) in
            let stored = try FormFile.withContent(
                of: context.request, spoolFolder: store.uploads.spoolFolder, byteLimit: store.uploads.byteLimit
            ) { content, name throws(EndpointError) in
                try EndpointError.mapping { () throws(OriginalError) in try store.add(content, fileName: name) }
            }
            return response(stored, context)
        }
    }

    /// Stores the content under the name in the path.
    static func replace(_ context: RequestContext) throws(EndpointError) -> Answer {
        try admit(context)
        guard !context.head.fields.contains(.contentRange) else { throw .partialPut }
        let id = try name(context.head.target)
        if let answer = try DraftUploadService.creation(context) { return answer }
        let service = context.service
        if let bucket = bucket(context) {
            try EndpointError.mapping { () throws(OriginalError) in try service.originals.checkFree(id) }
            return try bucket.store(id)
        }
        let store = try AssetStore(service)
        return try context.onWorker { () throws(EndpointError) in
            let stored = try FormFile.withContent(
                of: context.request, spoolFolder: store.uploads.spoolFolder, byteLimit: store.uploads.byteLimit
            ) { content, name throws(EndpointError) in
                try EndpointError.mapping { () throws(OriginalError) in
                    try store.put(id, content, fileName: name, where: context.head, now: service.clock.unixSeconds())
                }
            }
            return response(stored, context)
        }
    }

    /// Removes the asset, and everything that was made of it.
    static func remove(_ context: RequestContext) throws(EndpointError) -> Answer {
        try admit(context)
        let id = try name(context.head.target)
        let service = context.service
        if let bucket = bucket(context) {
            try EndpointError.mapping { () throws(OriginalError) in try service.originals.checkNotInFolder(id) }
            return bucket.remove(id)
        }
        let store = try AssetStore(service)
        return try context.onWorker { () throws(EndpointError) in
            try EndpointError.mapping { () throws(OriginalError) in
                try store.remove(id, where: context.head, now: service.clock.unixSeconds())
            }
            return Response(status: .noContent, fields: context.lines.common)
        }
    }

    /// The id in the path, which must be one that an upload can have.
    static func name(_ target: RequestTarget) throws(EndpointError) -> String {
        let id = try DescribedPath.id(target)
        do throws(UploadError) { try UploadLibrary.checkID(id) } catch { throw .upload(error, id: id) }
        return id
    }

    static func response(_ stored: StoredUpload, _ context: RequestContext) -> Response {
        var response = context.json(
            AssetRecordJSON.text(stored.record), status: stored.outcome == .created ? .created : .ok)
        if stored.outcome == .created { response.ownFields.append(.location, AssetAddress.path(stored.record.id)) }
        if let tag = AssetStore.entityTag(stored.record) { response.ownFields.append(.entityTag, tag) }
        return response
    }
}

extension AssetStore {
    /// - Throws: that this server takes no uploads.
    init(_ service: OpenedService) throws(EndpointError) {
        guard let uploads = service.originals.uploads else { throw .uploadsOff }
        self.init(uploads, folder: service.originals.library) { _ = service.purge(.asset($0)) }
    }
}

/// Assets without looking into them, as JSON: the answers of `/assets`.
enum AssetRecordJSON {
    static func text(_ record: AssetRecord) -> String {
        var json = JSONText()
        write(record, into: &json)
        return json.text + "\n"
    }

    /// `next` is where the next page is.
    static func text(_ page: AssetPage, next: String?) -> String {
        JSONText.line { json in
            json.array("items", of: page.records) { write($1, into: &$0) }
            json.member("next", next)
        }
    }

    private static func write(_ record: AssetRecord, into json: inout JSONText) {
        json.object { json in
            json.member("id", record.id)
            json.member("origin", origin(record.origin))
            json.member("bytes", record.byteCount)
            json.member("mediaType", record.mediaType)
            json.member("sha256", record.digest?.hex)
            json.member("created", record.createdUnixNanoseconds.map(time))
            json.member("modified", time(record.modifiedUnixNanoseconds))
            json.member("fileName", record.fileName)
        }
    }

    private static func origin(_ origin: AssetRecord.Origin) -> String {
        switch origin {
        case .upload: "upload"
        case .name: "name"
        case .folder: "folder"
        }
    }

    /// RFC 3339, to the millisecond.
    static func time(_ unixNanoseconds: Int64) -> String {
        let milliseconds = Int(unixNanoseconds / 1_000_000 - (unixNanoseconds % 1_000_000 < 0 ? 1 : 0))
        let day = CivilDay(daysSince1970: Int((Double(milliseconds) / 86_400_000).rounded(.down)))
        let rest = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
            + "T\(clock.joined(separator: ":")).\(padded(rest % 1000, 3))Z"
    }
}
