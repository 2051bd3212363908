import HTTPMessage
import HTTPServer
import MapTiles

/// The documents that describe tiles, with whole addresses in them.
enum TileDocuments {
    /// Made on a worker: sources may have to be asked. A document may be kept for minutes.
    static func answer(
        _ context: RequestContext,
        _ make: @escaping @Sendable (TileSets) throws(Problem) -> (text: String, mediaType: String)
    ) throws(Problem) -> Answer {
        let library = context.service.maps.library
        let base = BaseAddress(context.head, from: context.request.peer, context.policy.addresses)
        return try context.onWorker { () throws(Problem) in
            let document = try make(TileSets(library, base))
            let text = CodedText(document.text, for: context.head)
            let validators = Validators(entityTag: text.tag)
            var fields = FieldLines()
            if let tag = validators.entityTag { fields.append(.entityTag, tag) }
            // What a proxy names is told to whom it was named for alone: not all caches heed Vary.
            fields.append(.cacheControl, literal: base.isForwarded ? "private, max-age=300" : "max-age=300")
            text.appendVary(to: &fields, with: base.vary)
            fields.append(.xContentTypeOptions, literal: "nosniff")
            fields.append(context.lines.common)
            switch context.evaluate(validators) {
            case .notModified: return Response(status: .notModified, fields: fields)
            case .failed: throw .preconditionFailed
            case .proceed: break
            }
            fields.append(.contentType, document.mediaType)
            text.appendCoding(to: &fields)
            return Response(status: .ok, fields: fields, content: text.content)
        }
    }

    /// What the path of `target` behind `prefix` names.
    static func path(_ target: RequestTarget, after prefix: String, mayScale: Bool) throws(Problem) -> TilePath {
        guard let path = DescribedPath.decoded(String(target.path.dropFirst(prefix.utf8.count))) else {
            throw Problem(TilePathFault.malformed(allowed: "a percent-encoded path in UTF-8"))
        }
        do throws(TilePathFault) {
            return try TilePath(path, mayScale: mayScale)
        } catch {
            throw Problem(error)
        }
    }
}
