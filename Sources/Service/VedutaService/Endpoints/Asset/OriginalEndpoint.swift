import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Originals
import Reactor
import Renditions

/// `/assets/{id}/original`: the bytes of an asset as they were uploaded or as they lie in the folder.
enum OriginalEndpoint {
    static func answer(_ context: RequestContext) throws(Problem) -> Answer {
        let id = try DescribedPath.id(context.head.target, before: DescribedPath.original)
        let originals = context.service.originals
        if let bucket = originals.bucket,
            let source = try Problem.wording({ () throws(OriginalError) in try originals.remoteSource(id) }),
            source.id == id,
            source.object == (try? bucket.location(id))
        {
            return BucketUploads(context, bucket).original(id)
        }
        return try context.onWorker { () throws(Problem) in
            let opened = try Problem.wording { () throws(OriginalError) in try originals.openFile(id) }
            guard let original = opened else { throw .assetNotFound }
            let validators = Validators(entityTag: original.entityTag, lastModified: original.lastModified)
            let (mediaType, fileName) = (original.mediaType, original.fileName)
            return try response(
                Content(
                    id: id, content: .file(original.share()), mediaType: mediaType, fileName: fileName,
                    validators: validators),
                context)
        }
    }

    /// The answer with an original that is in memory.
    static func response(
        _ original: borrowing Originals.Opened, id: String, byteLimit: Int, _ context: RequestContext
    ) throws(Problem) -> Response {
        let content: SharedBytes
        do throws(LibraryError) { content = try original.read(limit: byteLimit) } catch { throw Problem(error, id: id) }
        let validators = Validators(
            // Changes are asked for under the tag that the bucket knows.
            entityTag: original.entityTag ?? EntityTag(opaque: original.state.validator),
            lastModified: original.state.lastModified)
        return try response(
            Content(
                id: id, content: .bytes(content), mediaType: SourceMedia.announced(content),
                fileName: Originals.File.name(of: id, content), validators: validators),
            context)
    }

    /// What is sent, and what is said of it.
    private struct Content {
        let id: String
        let content: ResponseContent
        let mediaType: String?
        let fileName: String
        let validators: Validators
    }

    private static func response(_ original: Content, _ context: RequestContext) throws(Problem) -> Response {
        let validators = original.validators
        var fields = FieldLines()
        if let tag = validators.entityTag { fields.append(.entityTag, tag) }
        if let lastModified = validators.lastModified { fields.append(.lastModified, date: lastModified) }
        fields.append(context.lines.renditions(.asset(original.id)).plain)
        switch context.evaluate(validators) {
        case .notModified: return Response(status: .notModified, fields: fields)
        case .failed: throw .preconditionFailed
        case .proceed: break
        }
        fields.append(.contentType, original.mediaType ?? "application/octet-stream")
        fields.append(.acceptRanges, literal: "bytes")
        // Nobody has looked at these bytes: a browser is to save them, and to run nothing that may be in them.
        fields.append("Content-Security-Policy", literal: "sandbox")
        fields.append(.contentDisposition, ContentDisposition.attachment(named: original.fileName, format: nil))
        var response = Response(status: .ok, fields: fields, content: original.content)
        try response.cut(for: context.request, validators, now: context.service.clock.unixSeconds())
        return response
    }
}
