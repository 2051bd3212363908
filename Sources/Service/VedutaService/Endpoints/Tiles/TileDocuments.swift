import Bytes
import HTTPMessage
import HTTPServer

/// Documents that describe tiles, with whole addresses in them.
enum TileDocuments {
    /// On a worker, as sources may have to be asked. Kept for minutes.
    static func answer(
        _ context: RequestContext,
        _ make: @escaping @Sendable (TileSets) throws(EndpointError) -> (text: String, mediaType: String)
    ) throws(EndpointError) -> Answer {
        let library = context.service.maps.library
        let base = BaseAddress(context.head, from: context.request.peer, context.policy.addresses)
        return try context.beginStoppable { stop throws(EndpointError) in
            let document = try make(
                TileSets(library: library, base: base, signature: context.admission.setQuery, stop: stop))
            // What was not waited for is missing in it.
            if stop?.isSet == true { return nil }
            let text = CodedText(document.text, for: context.head)
            let validators = Validators(entityTag: text.tag)
            var fields = FieldLines()
            if let tag = validators.entityTag { fields.append(.entityTag, tag) }
            // A proxy's address is for its own clients alone: not all caches heed Vary.
            let caching = "\(base.isForwarded ? "private, " : "")max-age=300"
            fields.append(.cacheControl, context.lines.bound.applied(to: caching))
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
}
