import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import OriginCache
import Originals
import Reactor
import ResponseCache

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

    /// Answers with an original that was fetched. One in a file is sent by the kernel: here only its first bytes are read.
    static func response(
        _ fetched: CachedAnswer, id: String, byteLimit: Int, _ context: RequestContext
    ) throws(EndpointError) -> Response {
        let content: ResponseContent
        let head: SharedBytes
        switch fetched.content {
        case .memory(let bytes): (content, head) = (.bytes(bytes), bytes)
        case .file(let file):
            let sniffed = 0..<min(file.byteCount, UploadSettings.sniffedByteCount)
            guard let first = file.content(of: sniffed) else { throw .original(.remote(.evicted)) }
            (content, head) = (.file(file), first)
        case .disk: throw .original(.remote(.evicted))
        }
        guard content.byteCount ?? 0 <= byteLimit else { throw .library(.tooLarge(limit: byteLimit), id: id) }
        let state = OriginalState(fetched)
        let validators = Validators(
            // Preconditions use the tag that the bucket knows.
            entityTag: fetched.exchange.entityTag ?? EntityTag(opaque: state.validator),
            lastModified: state.lastModified)
        return try response(
            Content(
                id: id, content: content, mediaType: SourceMedia.announced(head),
                fileName: Originals.File.name(of: id, head), validators: validators),
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
