import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapOverlays
import MapGrammar
import MapSources
import Originals
import Parameters
import Renditions
import ResponseCache

/// `/map` and `/map.json`: a picture of a place, and what is on it.
struct MapEndpoint {
    /// What the content of a POST may be. Anybody may send one, so it is held in memory and not beside the uploads.
    var contentRule: ContentRule {
        ContentRule(
            byteLimit: MapRequest.bodyByteLimit, mediaTypes: ["application/json"], memory: maps.contentMemory)
    }
    /// Bytes of a query that servers and caches on the way take as well.
    private static let locationLimit = 6000

    private let maps: MapService
    private let originals: Originals
    private let options: RenderOptions

    init(_ service: ServiceParts) {
        self.init(maps: service.maps, originals: service.originals, options: service.renderOptions)
    }

    /// Maps of `maps`, with icons of `originals`.
    init(maps: MapService, originals: Originals, options: RenderOptions) {
        self.maps = maps
        self.originals = originals
        self.options = options
    }

    // MARK: Requests

    /// The picture that a query asks for, in the format that is negotiated.
    func rendition(_ items: [QueryItem], _ head: RequestHead) throws(Problem) -> Rendition {
        try rendition(of: try parse(items, for: .picture), head)
    }

    /// The picture that the content of a POST asks for, and the address at which GET has it, if it fits one.
    func posted(_ request: Request) throws(Problem) -> (rendition: Rendition, location: String?) {
        guard request.head.target.query == nil else {
            throw Problem(
                ParameterFaults([
                    ParameterFault(
                        parameter: "query", value: request.head.target.query ?? "",
                        reason: .malformed(allowed: "left out: a POST request has its parameters in the content"))
                ]))
        }
        let asked: MapRequest
        do throws(ParameterFaults) {
            asked = try MapRequest.parse(try MapRequest.items(ofBody: Self.bytes(of: request)), rules: maps.rules)
        } catch {
            throw Problem(error)
        }
        return (
            try rendition(of: asked, request.head), asked.canonical(byteLimit: Self.locationLimit).map { "/map?" + $0 }
        )
    }

    /// What is told of the map that a query asks for.
    func description(_ items: [QueryItem], _ head: RequestHead) throws(Problem) -> Rendition {
        var asked = try parse(items, for: .positions)
        let vary = (asked.theme == .auto ? [VariedFields.colorScheme.text] : []) + [CodedText.field]
        let takesGzip = AcceptEncoding.takesGzip(head.fields)
        asked = themed(asked, head)
        return Rendition(
            Endpoint.mapDescription.route, .map, MapDescriber(map: try subject(of: asked), takesGzip: takesGzip),
            fingerprint: .service, canonical: asked.canonical, variant: CodedText.variant(takesGzip),
            vary: vary.joined(separator: ", "), mediaTypes: ["application/json"], tag: CacheTag(map: asked.canonical),
            takesGzip: takesGzip)
    }

    private func rendition(of asked: MapRequest, _ head: RequestHead) throws(Problem) -> Rendition {
        var names: [String] = []
        if asked.format == nil { names.append("Accept") }
        if asked.theme == .auto { names.append(VariedFields.colorScheme.text) }
        let request = themed(asked, head)
        let resource = asked.theme == .auto ? asked.canonical : nil
        let accept = AcceptField.parse(head.fields)
        let output = request.outputFormat(
            accepting: { accept.quality(of: $0.mediaType) }, named: { accept.isExplicit($0.mediaType) })
        let subject = try subject(of: request)
        return Rendition(
            Endpoint.map.route, .map, MapRenderer(map: subject, output: output), fingerprint: .service,
            canonical: request.canonical, resource: resource, variant: output.rawValue,
            vary: names.joined(separator: ", "), mediaTypes: [output.mediaType],
            tag: CacheTag(map: request.canonical), overlayIDs: subject.icons.ids)
    }

    private func parse(_ items: [QueryItem], for purpose: MapRequest.Purpose) throws(Problem) -> MapRequest {
        do {
            return try MapRequest.parse(items, for: purpose, rules: maps.rules)
        } catch {
            throw Problem(error)
        }
    }

    private func themed(_ request: MapRequest, _ head: RequestHead) -> MapRequest {
        let value = head.fields.first(VariedFields.colorScheme)
        // A structured field's string or token (RFC 9651): quotes may be there or not.
        return request.themed(prefersDark: value?.contains("dark") ?? false, maps.rules)
    }

    private func subject(of request: MapRequest) throws(Problem) -> MapSubject {
        let scale = request.scale.double
        let icons = request.overlays.compactMap { overlay -> (id: String, size: Double)? in
            guard case .marker(let marker) = overlay, case .icon(let id) = marker.look else { return nil }
            return (id, marker.size)
        }
        let side = icons.reduce(1.0) { max($0, $1.size * scale) }
        if let below = request.look.below, let style = maps.library.style(named: request.style)?.style,
            MapAppearance.layer(below: below, of: style) == nil
        {
            throw Problem(
                ParameterFaults([
                    ParameterFault(
                        parameter: "below", value: below, reason: .malformed(allowed: "a layer of the style, or labels")
                    )
                ]))
        }
        return MapSubject(
            request: request, maps: maps,
            icons: try MapIcons(
                icons.map(\.id), sideLimitPx: Int(min(4096, side.rounded(.up))), in: originals, options: options))
    }

    private static func bytes(of request: Request) -> [UInt8] {
        guard case .bytes(let bytes) = request.content else { return [] }
        return bytes.withUnsafeBytes { [UInt8]($0) }
    }
}
