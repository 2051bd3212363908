import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import MapSources
import Originals
import Parameters
import Reactor
import Renditions
import ResponseCache
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
            let page = IndexPage.html(
                pictures: service.originals.library?.list(limit: 6) ?? [], maps: service.maps.examples)
            return context.response(CodedText(page, for: context.head), "text/html; charset=utf-8")
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

/// The page at `/`: links to try, for the images and the map that this server has.
enum IndexPage {
    /// `pictures` are ids of the library.
    static func html(pictures: [String], maps: MapExamples) -> String {
        var body = ""
        for id in pictures {
            body += figure(asset(id, "width=320&height=240&fit=cover"), Markup.escaped(id))
        }
        if let id = pictures.first {
            body += "<h2>One image, different parameters</h2>\n"
            for (query, words) in variations { body += figure(asset(id, query), words) }
            let path = Markup.escaped(AssetAddress.path(id))
            body += "<p><a href=\"\(path)\">Description</a> "
            body += "and <a href=\"\(path)/pages\">list of pages</a> of this image; "
            body += "<a href=\"\(Markup.escaped(view(pictures)))\">leaf through all of these</a>.</p>\n"
        }
        if pictures.isEmpty { body += "<p>The library is empty: start with <code>--library FOLDER</code>.</p>\n" }
        body += "<h2>Places</h2>\n"
        for (query, words) in maps.queries { body += figure("/map?" + query, words) }
        body += "<h2>A group</h2>\n" + figure("/avatar?" + group(pictures), "/avatar") + "\n"
        body += "<h2>A poll</h2>\n" + figure("/poll?" + poll, "/poll") + "\n"
        body += "<h2>A preview of a link</h2>\n" + figure("/card?" + card(pictures), "/card") + "\n"
        body += "<h2>Endpoints</h2>\n<table>\n"
        for row in Endpoint.allCases.map(\.row) {
            for path in row.paths.flatMap(\.documented) {
                body += "<tr><td><code>\(Markup.escaped(path))</code></td><td>\(row.allow)</td></tr>\n"
            }
        }
        body += "</table>\n"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Veduta</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #223 }
            figure { display: inline-block; margin: 0 1rem 1.5rem 0; vertical-align: top; max-width: 20rem }
            img { max-width: 20rem; max-height: 15rem; border-radius: 6px; background: #eef }
            figcaption { font-size: .8rem; overflow-wrap: anywhere } a { color: #246 }
            </style></head><body>
            <h1>Veduta</h1>
            <p>Any picture is a URL. Change a link and see what happens; a mistake is explained.
            <a href="/openapi.yaml">openapi.yaml</a> lists every parameter, <a href="/veduta.js">veduta.js</a> builds URLs in web pages,
            <a href="/metrics">/metrics</a> has counters for Prometheus.</p>
            <h2>Pictures</h2>
            \(body)</body></html>

            """
    }

    /// Ids with a comma cannot be listed.
    private static func view(_ pictures: [String]) -> String {
        "/view?"
            + CanonicalQuery([
                QueryItem(name: "ids", value: pictures.filter { !$0.contains(",") }.joined(separator: ","))
            ]).text
    }

    private static func group(_ pictures: [String]) -> String {
        var query = CanonicalQuery()
        query.append("ids", pictures.filter { !$0.contains(",") }.prefix(3).joined(separator: ","))
        query.append("names", "Anna Bell,Bo Li,Cy Do,Ed")
        query.append("size", "128")
        return query.text
    }

    private static func card(_ pictures: [String]) -> String {
        var query = CanonicalQuery()
        query.append("template", "article")
        query.append("title", "Any picture is a URL")
        query.append("site", "Veduta")
        if let id = pictures.first { query.append("image", id) }
        return query.text
    }

    private static let poll = CanonicalQuery([
        QueryItem(name: "question", value: "Where shall we have dinner?"),
        QueryItem(name: "option", value: "votes:12|chosen:1|Trattoria"),
        QueryItem(name: "option", value: "votes:7|Sushi"), QueryItem(name: "option", value: "votes:5|At home"),
        QueryItem(name: "width", value: "320"),
    ]).text

    private static let variations = [
        ("width=320&crop=square", "crop=square"),
        ("width=320&rotate=90", "rotate=90"),
        ("width=320&filter=grayscale,blur:2", "filter=grayscale,blur:2"),
        ("width=320&filter=brightness:15,contrast:30", "filter=brightness:15,contrast:30"),
    ]

    private static func asset(_ id: String, _ query: String) -> String {
        var canonical = CanonicalQuery()
        canonical.append("id", id)
        return "/asset?\(canonical.text)&\(query)"
    }

    private static func figure(_ path: String, _ words: String) -> String {
        let link = Markup.escaped(path)
        return
            "<figure><a href=\"\(link)\"><img src=\"\(link)\" alt=\"\"></a><figcaption>\(words)</figcaption></figure>\n"
    }
}
