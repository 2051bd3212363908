import AssetLibrary
import HTTPMessage
import HTTPServer
import MapSources
import Originals
import Reactor
import Telemetry

/// What the service tells of itself: readiness, metrics, the contract, and a page of links.
enum TextEndpoints {
    static func ready(_ context: RequestContext) throws(EndpointError) -> Answer {
        do throws(LibraryError) { try context.service.checkReady() } catch { throw .library(error) }
        return context.text("ready\n")
    }

    static func metrics(_ context: RequestContext) -> Answer {
        let accept = AcceptField.parse(context.head.fields, ignoringParameters: true)
        let name = "application/openmetrics-text"
        let isOpen = accept.isExplicit(name) && accept.quality(of: name) >= accept.quality(of: "text/plain")
        let format: MetricFormat = isOpen ? .openMetrics : .prometheus
        return context.text(context.service.metricsText(format), mediaType: format.mediaType, vary: "Accept")
    }

    /// On a worker, as listing the library reads folders.
    static func index(_ context: RequestContext) throws(EndpointError) -> Answer {
        let service = context.service
        return try context.onWorker { () throws(EndpointError) in
            let pictures = service.originals.library?.list(limit: 6) ?? []
            return context.page(
                IndexPage.html(pictures: pictures, maps: service.maps.examples, styles: service.maps.library.styleNames)
            )
        }
    }

    /// The page that asks a browser for the token, with the status of `error`; nil: another request, or the token would not
    /// help.
    static func closedPage(_ error: EndpointError, _ context: RequestContext) -> Answer? {
        guard context.endpoint == .index || context.endpoint == .maps,
            case .unauthorized(let refusal) = error, refusal != .writesAreOff, context.head.wantsPage
        else { return nil }
        let page = context.endpoint == .maps ? MapsPage.closed : IndexPage.closed
        let text = CodedText(page, for: context.head, .onLoop)
        var response = context.response(text, "\(PageFields.mediaType)", status: .unauthorized)
        response.fields.append(PageFields.page)
        response.fields.append(.vary, "Accept")
        if let challenge = Problem(error).challenge { response.fields.append(.wwwAuthenticate, challenge) }
        return .now(context.counted(response))
    }

    static func maps(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkHasNoQuery()
        let maps = context.service.maps
        return try context.onWorker { () throws(EndpointError) in
            let page = MapsPage(
                styles: maps.library.styleNames, sources: maps.library.sourceNames, examples: maps.examples)
            guard context.policy.access?.wantsSignatures ?? false else { return context.page(page.html()) }
            let signed = context.admission.constraints.map { page.covered(by: $0, context.admission.setQuery ?? "") }
            return context.page((signed ?? page.withoutTiles).html())
        }
    }

    static func openAPI(_ context: RequestContext) throws(EndpointError) -> Answer {
        try fixed(context.service.openAPI, "application/yaml", context)
    }

    static func script(_ context: RequestContext) throws(EndpointError) -> Answer {
        try fixed(context.service.script, "text/javascript; charset=utf-8", context)
    }

    static func pageFile(_ context: RequestContext) throws(EndpointError) -> Answer {
        guard let file = context.service.pageFiles[context.head.target] else { throw .routeAbsent }
        return try fixed(file.text, file.mediaType, context)
    }

    /// Text that stays the same while the service runs.
    private static func fixed(
        _ text: FixedText, _ mediaType: StaticString, _ context: RequestContext
    ) throws(EndpointError) -> Answer {
        let (text, tag) = text.coded(for: context.head)
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
        fields.append(.contentType, literal: mediaType)
        text.appendCoding(to: &fields)
        fields.append(.acceptRanges, literal: "bytes")
        var response = Response(status: .ok, fields: fields, content: text.content)
        try response.cut(for: context.request, validators, now: context.service.clock.unixSeconds())
        return .now(context.counted(response))
    }
}
