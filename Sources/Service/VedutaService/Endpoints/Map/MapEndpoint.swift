import Reactor
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
import Renditions
import ResponseCache

/// `/map` and `/map.json`: a map, and what is on it.
struct MapEndpoint {
    /// Of a POST of `client`. Anybody may send one, so it is held in memory and not beside the uploads.
    func contentRule(of client: ClientNetwork?) -> ContentRule {
        ContentRule(
            byteLimit: MapRequest.bodyByteLimit, mediaTypes: ["application/json"],
            memory: maps.contentMemory.share(of: client))
    }

    let maps: MapService
    let originals: Originals
    let options: RenderOptions
    var images = ImageProcessor.here

    /// The map that a query asks for, in the negotiated format.
    func rendition(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        try rendition(of: try parse(items, for: .picture), head)
    }

    /// The map that the content of a POST asks for, and the address at which GET has it, if it fits one.
    func posted(_ request: Request) throws(EndpointError) -> PostedRendition {
        let body = try PostedRendition.bytes(of: request)
        let asked: MapRequest
        do throws(ParameterFaults) {
            asked = try MapRequest.parse(try MapRequest.items(ofBody: body), rules: maps.rules)
        } catch {
            throw .parameters(error)
        }
        return PostedRendition(
            try rendition(of: asked, request.head), path: "/map",
            query: asked.canonical(byteLimit: PostedRendition.locationLimit))
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
        let request = themed(asked, head)
        let resource = asked.theme == .auto ? asked.canonical : nil
        let output = request.encoding.outputFormat(head.fields)
        let icons = try icons(of: request)
        return Rendition(
            Endpoint.map.route, .map, MapSubject(request: request, maps: maps, icons: icons.ids.isEmpty ? nil : icons),
            renderer: MapRenderer(request: request, maps: maps, icons: icons, output: output), fingerprint: .service,
            canonical: request.canonical, resource: resource, variant: output.rawValue,
            vary: request.encoding.vary(isThemed: asked.theme == .auto), mediaTypes: [output.mediaType],
            tag: CacheTag(map: request.canonical), overlayIDs: icons.ids)
    }

    private func parse(_ items: [QueryItem], for purpose: MapRequest.Purpose) throws(EndpointError) -> MapRequest {
        do { return try MapRequest.parse(items, for: purpose, rules: maps.rules) } catch { throw .parameters(error) }
    }

    private func themed(_ request: MapRequest, _ head: RequestHead) -> MapRequest {
        request.themed(prefersDark: VariedFields.prefersDark(head), maps.rules)
    }

    /// - Throws: also where the style has no such layer as `below` names.
    private func icons(of request: MapRequest) throws(EndpointError) -> MapIcons {
        let scale = request.scale.double
        let icons = request.overlays.compactMap { overlay -> (id: String, size: Double)? in
            guard case .marker(let marker) = overlay, case .icon(let id) = marker.look else { return nil }
            return (id, marker.size)
        }
        let side = icons.reduce(1.0) { max($0, $1.size * scale) }
        if let below = request.look.below, let style = maps.library.style(named: request.style)?.outline,
            MapAppearance.layer(below: below, of: style) == nil
        {
            throw .fault("below", below, allowed: "a layer of the style, or labels")
        }
        return try MapIcons(
            icons.map(\.id), sideLimitPx: Int(min(4096, side.rounded(.up))), in: originals, options: options,
            images: images)
    }
}
