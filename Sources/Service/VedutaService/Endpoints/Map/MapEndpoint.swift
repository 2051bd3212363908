import Bytes
import ClientBudgets
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import ImageWorkers
import MapGrammar
import MapOverlays
import MapSources
import Originals
import Parameters
import Reactor
import Renditions
import ResponseCache

/// `/map` and `/map.json`: a map, and what is on it.
struct MapEndpoint {
    /// Of a POST. Anybody may send one, so it is held in memory and not beside the uploads.
    var contentRule: ContentRule {
        ContentRule(byteLimit: MapRequest.bodyByteLimit, mediaTypes: ["application/json"], memory: maps.contentMemory)
    }
    /// Bytes of a query that proxies take as well.
    private static let locationLimit = 6000

    let maps: MapService
    let originals: Originals
    let options: RenderOptions
    var images = ImageProcessor.here

    /// The map that a query asks for, in the negotiated format.
    func rendition(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        try rendition(of: try parse(items, for: .picture), head)
    }

    /// The map that the content of a POST asks for, and the address at which GET has it, if it fits one.
    func posted(_ request: Request) throws(EndpointError) -> (rendition: Rendition, location: String?) {
        if let query = request.head.target.query {
            throw .fault("query", query, allowed: "left out: a POST request has its parameters in the content")
        }
        let asked: MapRequest
        do throws(ParameterFaults) {
            asked = try MapRequest.parse(try MapRequest.items(ofBody: Self.bytes(of: request)), rules: maps.rules)
        } catch {
            throw .parameters(error)
        }
        return (
            try rendition(of: asked, request.head), asked.canonical(byteLimit: Self.locationLimit).map { "/map?" + $0 }
        )
    }

    func description(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        var asked = try parse(items, for: .positions)
        let vary = (asked.theme == .auto ? [VariedFields.colorScheme.text] : []) + [CodedText.field]
        let takesGzip = AcceptEncoding.takesGzip(head.fields)
        asked = themed(asked, head)
        _ = try icons(of: asked)
        return Rendition(
            Endpoint.mapDescription.route, .map, MapSubject(request: asked, maps: maps),
            renderer: MapDescriber(request: asked, maps: maps, takesGzip: takesGzip), fingerprint: .service,
            canonical: asked.canonical, variant: CodedText.variant(takesGzip),
            vary: vary.joined(separator: ", "), mediaTypes: ["application/json"], tag: CacheTag(map: asked.canonical),
            takesGzip: takesGzip)
    }

    private func rendition(of asked: MapRequest, _ head: RequestHead) throws(EndpointError) -> Rendition {
        var names: [String] = []
        if asked.format == nil { names.append("Accept") }
        if asked.theme == .auto { names.append(VariedFields.colorScheme.text) }
        let request = themed(asked, head)
        let resource = asked.theme == .auto ? asked.canonical : nil
        let accept = AcceptField.parse(head.fields)
        let output = request.outputFormat(
            accepting: { accept.quality(of: $0.mediaType) }, named: { accept.isExplicit($0.mediaType) })
        let icons = try icons(of: request)
        return Rendition(
            Endpoint.map.route, .map, MapSubject(request: request, maps: maps, icons: icons.ids.isEmpty ? nil : icons),
            renderer: MapRenderer(request: request, maps: maps, icons: icons, output: output), fingerprint: .service,
            canonical: request.canonical, resource: resource, variant: output.rawValue,
            vary: names.joined(separator: ", "), mediaTypes: [output.mediaType],
            tag: CacheTag(map: request.canonical), overlayIDs: icons.ids)
    }

    private func parse(_ items: [QueryItem], for purpose: MapRequest.Purpose) throws(EndpointError) -> MapRequest {
        do { return try MapRequest.parse(items, for: purpose, rules: maps.rules) } catch { throw .parameters(error) }
    }

    private func themed(_ request: MapRequest, _ head: RequestHead) -> MapRequest {
        let value = head.fields.first(VariedFields.colorScheme)
        // A string or token of a structured field (RFC 9651), quoted or not.
        return request.themed(prefersDark: value?.contains("dark") ?? false, maps.rules)
    }

    /// - Throws: also where the style has no such layer as `below` names.
    private func icons(of request: MapRequest) throws(EndpointError) -> MapIcons {
        let scale = request.scale.double
        let icons = request.overlays.compactMap { overlay -> (id: String, size: Double)? in
            guard case .marker(let marker) = overlay, case .icon(let id) = marker.look else { return nil }
            return (id, marker.size)
        }
        let side = icons.reduce(1.0) { max($0, $1.size * scale) }
        if let below = request.look.below, let style = maps.library.style(named: request.style)?.style,
            MapAppearance.layer(below: below, of: style) == nil
        {
            throw .fault("below", below, allowed: "a layer of the style, or labels")
        }
        return try MapIcons(
            icons.map(\.id), sideLimitPx: Int(min(4096, side.rounded(.up))), in: originals, options: options,
            images: images)
    }

    private static func bytes(of request: Request) -> [UInt8] {
        guard case .bytes(let bytes) = request.content else { return [] }
        return bytes.withUnsafeBytes { [UInt8]($0) }
    }
}

extension ServiceHandler {
    /// `/map`; a POST is the same for overlays that fit no address.
    func map(_ context: RequestContext) -> Answer {
        context.head.method == .post ? postedMap(context) : rendition(context)
    }

    /// Reading the content is a worker's job, as it may be long.
    private func postedMap(_ context: RequestContext) -> Answer {
        let (service, maps) = (service, maps)
        do throws(EndpointError) { try context.openBill() } catch { return context.refused(error) }
        let pause = PausedRequest()
        let isAbandoned = SharedFlag()
        let isAdmitted = service.workers.submit(
            for: context.client, cancelledBy: isAbandoned,
            displaced: { pause.resume(context.responder) { context.refused(.busy) } }
        ) {
            pause.resume(context.responder) {
                do throws(EndpointError) {
                    // Reading megabytes of JSON costs what it costs, also where they are refused.
                    let read = { Result { () throws(EndpointError) in try maps.posted(context.request) } }
                    let (rendition, location) = try (context.bill?.measure(read) ?? read()).get()
                    let asked = context.renditionRequest(
                        service.renditions.table.shared(rendition), contentLocation: location)
                    return service.renditions.deliver(asked, knowing: nil).answer
                } catch {
                    return context.refused(error, vary: "Accept")
                }
            }
        }
        guard isAdmitted else { return context.refused(.busy) }
        pause.began { isAbandoned.set() }
        return pause.answer
    }
}
