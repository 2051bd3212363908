import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Originals
import Reactor

/// `/assets/{id}/original`: the bytes of an asset as they were uploaded or are in the folder.
enum OriginalEndpoint {
    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        let id = try DescribedPath.id(context.head.target, before: DescribedPath.original)
        let originals = context.service.originals
        if let bucket = originals.bucket,
            let source = try EndpointError.mapping({ () throws(OriginalError) in try originals.remoteSource(id) }),
            source.id == id, source.object == (try? bucket.location(id))
        {
            return BucketUploads(context: context, bucket: bucket).original(id)
        }
        return try context.onWorker { () throws(EndpointError) in
            let opened = try EndpointError.mapping { () throws(OriginalError) in try originals.openFile(id) }
            guard let original = opened else { throw .original(.absent) }
            let validators = Validators(entityTag: original.entityTag, lastModified: original.lastModified)
            let (mediaType, fileName) = (original.mediaType, original.fileName)
            return try response(
                Content(
                    id: id, content: .file(original.share()), mediaType: mediaType, fileName: fileName,
                    validators: validators),
                context)
        }
    }

    /// Answers with an original in memory.
    static func response(
        _ original: borrowing Originals.Opened, id: String, byteLimit: Int, _ context: RequestContext
    ) throws(EndpointError) -> Response {
        let content: SharedBytes
        do { content = try original.read(limit: byteLimit) } catch { throw .library(error, id: id) }
        let validators = Validators(
            // Preconditions use the tag that the bucket knows.
            entityTag: original.entityTag ?? EntityTag(opaque: original.state.validator),
            lastModified: original.state.lastModified)
        return try response(
            Content(
                id: id, content: .bytes(content), mediaType: SourceMedia.announced(content),
                fileName: Originals.File.name(of: id, content), validators: validators),
            context)
    }

    private struct Content {
        let id: String
        let content: ResponseContent
        let mediaType: String?
        let fileName: String
        let validators: Validators
    }

    private static func response(_ original: Content, _ context: RequestContext) throws(EndpointError) -> Response {
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
        // Nobody has checked these bytes: a browser saves them, and runs nothing in them.
        fields.append("Content-Security-Policy", literal: "sandbox")
        fields.append(.contentDisposition, ContentDisposition.attachment(named: original.fileName, format: nil))
        var response = Response(status: .ok, fields: fields, content: original.content)
        try response.cut(for: context.request, validators, now: context.service.clock.unixSeconds())
        return response
    }
}
