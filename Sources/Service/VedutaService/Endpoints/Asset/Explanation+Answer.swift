import HTTPMessage
import HTTPServer
import Renditions
import ResponseCache

// `explain=1` bypasses the cache, which it looks at but never changes; a master that had to be made is kept.
extension Explanation {
    func answer(_ context: RequestContext) -> Answer {
        let (service, request) = (context.service.renditions, context.renditionRequest(rendition))
        return service.deliver(
            ApartRequest(request) { job, state throws(RenditionError) in
                let kept = kept(in: service.cache, state.identity)
                let explained = try make(job)
                context.service.metrics.renditions.rendered(rendition.route, explained.timings)
                let text = ExplanationJSON.text(explained, rendition, state.identity, kept: kept)
                return context.counted(response(text, state.identity, context))
            })
    }

    private func kept(in cache: RenditionCache, _ identity: RenditionIdentity) -> Kept {
        if cache.tiers.isInMemory(identity.key) { return .memory }
        return cache.contains(rendition, identity) ? .disk : .no
    }

    private func response(_ text: String, _ identity: RenditionIdentity, _ context: RequestContext) -> Response {
        let coded = CodedText(text, for: context.head)
        var fields = FieldLines()
        fields.append(.contentType, literal: "application/json")
        fields.append(.cacheControl, literal: "no-store")
        coded.append(to: &fields, varyingWith: rendition.vary)
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(context.lines.common)
        return Response(status: Status(code: identity.validator.status), fields: fields, content: coded.content)
    }
}
