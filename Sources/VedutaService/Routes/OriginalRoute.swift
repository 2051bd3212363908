import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Reactor

/// `/assets/{id}/original`: the octets of an asset as they were uploaded or as they lie in the folder.
struct OriginalRoute {
    private let service: ServiceParts
    private let assets: AssetsRoute

    init(_ service: ServiceParts) {
        self.service = service
        assets = AssetsRoute(service)
    }

    func answer(_ request: Request, _ lines: PolicyLines, _ responder: Responder) throws(Problem) -> Answer {
        let id = try DescribedPath.id(request.head.target, before: DescribedPath.original)
        let service = service
        if let bucket = service.originals.bucket, let source = try service.originals.remoteSource(id), source.id == id,
            source.object == (try? bucket.location(id))
        {
            return BucketRoute(service, bucket).original(id, request, lines, responder)
        }
        return try assets.onWorker(request, lines, .original, responder) { () throws(Problem) in
            guard let original = try service.originals.openFile(id) else { throw .assetNotFound }
            let validators = Validators(entityTag: original.entityTag, lastModified: original.lastModified)
            let (mediaType, fileName) = (original.mediaType, original.fileName)
            return try Self.response(
                .file(original.share()), mediaType, named: fileName, validators, id, request, lines, service)
        }
    }

    /// The same of an original that is in memory.
    static func response(
        _ original: borrowing Originals.Opened, limit: Int, _ id: String, _ request: Request,
        _ lines: PolicyLines,
        _ service: ServiceParts
    ) throws(Problem) -> Response {
        let content: SharedBytes
        do throws(LibraryError) { content = try original.read(limit: limit) } catch { throw Problem(error, id: id) }
        let validators = Validators(
            // Changes are asked for under the tag that the bucket knows.
            entityTag: original.entityTag ?? EntityTag(opaque: original.state.validator),
            lastModified: original.state.lastModified)
        return try response(
            .bytes(content), SourceMedia.announced(content), named: Originals.File.name(of: id, content), validators,
            id,
            request, lines, service)
    }

    private static func response(
        _ content: ResponseContent, _ mediaType: String?, named fileName: String, _ validators: Validators,
        _ id: String, _ request: Request, _ lines: PolicyLines, _ service: ServiceParts
    ) throws(Problem) -> Response {
        let now = service.clock.unixSeconds()
        var fields = FieldLines()
        if let tag = validators.entityTag { fields.append(.entityTag, tag) }
        if let lastModified = validators.lastModified { fields.append(.lastModified, date: lastModified) }
        fields.append(lines.pictures(PictureKind(assetID: id)).plain)
        switch Preconditions.evaluate(request.head.method, request.head.fields, validators, now: now) {
        case .notModified: return Response(status: .notModified, fields: fields)
        case .failed: throw .preconditionFailed
        case .proceed: break
        }
        fields.append(.contentType, mediaType ?? "application/octet-stream")
        fields.append(.acceptRanges, literal: "bytes")
        // Nobody has looked at these octets: a browser is to save them, and to run nothing that may be in them.
        fields.append("Content-Security-Policy", literal: "sandbox")
        fields.append(.contentDisposition, ContentDisposition.attachment(named: fileName, format: nil))
        var response = Response(status: .ok, fields: fields, content: content)
        try response.cut(for: request, validators, now: now)
        return response
    }
}
