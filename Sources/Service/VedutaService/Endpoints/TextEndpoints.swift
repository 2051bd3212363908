import AssetLibrary
import HTTPMessage
import HTTPServer
import OriginCache
import Originals
import Reactor
import Renditions
import ResponseCache

/// What the service says of itself: readiness, metrics, the contract, and a page of links.
enum TextEndpoints {
    static func ready(_ context: RequestContext) throws(Problem) -> Answer {
        if let problem = context.service.readiness() { throw problem }
        return context.text("ready\n")
    }

    static func metrics(_ context: RequestContext) -> Answer {
        let service = context.service
        if let remote = service.originals.remote { service.metrics.origins.show(remote.cache.counts) }
        if let remote = service.maps.remote { service.metrics.mapOrigins.show(remote.counts) }
        let text = service.metrics.text(
            memory: service.renditions.cache.tiers.memoryCounts, disk: service.renditions.cache.tiers.diskCounts,
            connections: service.statistics.openConnectionCount, load: service.workers.load)
        return context.text(text, mediaType: "text/plain; version=0.0.4; charset=utf-8")
    }

    /// Listing the library reads folders, so it is a worker's job.
    static func index(_ context: RequestContext) throws(Problem) -> Answer {
        let service = context.service
        return try context.onWorker { () throws(Problem) in
            let page = IndexPage.html(
                pictures: service.originals.library?.list(limit: 6) ?? [], place: service.maps.place)
            return context.response(CodedText(page, for: context.head), "text/html; charset=utf-8")
        }
    }

    static func openAPI(_ context: RequestContext) throws(Problem) -> Answer {
        let (text, tag) = context.service.openAPI.coded(for: context.head)
        var fields = FieldLines()
        if let tag { fields.append(.entityTag, tag) }
        text.appendVary(to: &fields)
        fields.append(.cacheControl, context.endpoint.row.caching.cacheControl)
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(context.lines.common)
        let validators = Validators(entityTag: tag)
        switch context.evaluate(validators) {
        case .notModified: return .now(context.counted(Response(status: .notModified, fields: fields)))
        case .failed: throw .preconditionFailed
        case .proceed: break
        }
        fields.append(.contentType, literal: "application/yaml")
        text.appendCoding(to: &fields)
        fields.append(.acceptRanges, literal: "bytes")
        var response = Response(status: .ok, fields: fields, content: text.content)
        try response.cut(for: context.request, validators, now: context.service.clock.unixSeconds())
        return .now(context.counted(response))
    }
}
