import Bytes
import JSON
import MapGrammar
import MapRender
import MapSources
import MapStyle
import MapTiles

struct TileSets {
    let library: MapLibrary
    let base: BaseAddress
    /// The parameters of a signed set, which covers the tiles too.
    var signature: String?
    /// Once it is set, sources that are far away are not waited for.
    var stop: SharedFlag?

    func address(_ path: String, _ query: String = "") -> String {
        let query = [query, signature ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
        return base.text + path + (query.isEmpty ? "" : "?" + query)
    }

    /// The tiles of a style with these parameters, which the tiles have too. Blocks where a source is far away.
    func rendered(_ name: String, _ request: TileRequest) throws(EndpointError) -> TileSetDescription {
        guard let style = library.style(named: name) else { throw .styleAbsent(among: library.styleNames) }
        let query = request.canonical
        var set = TileSetDescription(
            name: name,
            template: address("/tiles/\(name)/{z}/{x}/{y}.png", query),
            zooms: 0...MapTile.zoomLimit)
        if request.side != 256 { set.tileSize = request.side }
        if let title = style.title { set.title = title }
        let sources = style.sourceNames.compactMap { library.source(named: $0) }
        // A source that cannot be asked now is left out: the tiles tell the rest.
        let details = sources.compactMap { try? self.details(of: $0) }
        let bounds = details.map { $0.bounds.flatMap(TileSetDescription.Bounds.init) ?? .init() }
        // Around the archive is the world.
        if style.world == nil { set.bounds = bounds.dropFirst().reduce(bounds.first ?? .init()) { $0.union($1) } }
        var attributions: [String] = []
        for attribution in details.compactMap(\.attribution) + [style.world?.attribution].compactMap(\.self)
        where !attributions.contains(attribution) { attributions.append(attribution) }
        if !attributions.isEmpty { set.attribution = attributions.joined(separator: " · ") }
        if let center = style.outline.center, center.count == 2 {
            // Styles count levels of 512 pixels.
            set.center = center + [(style.outline.zoom ?? 0) + 1]
        } else {
            set.center = details.compactMap(\.centre).first.map { [$0.longitude, $0.latitude, Double($0.zoom)] }
        }
        return set
    }

    private func details(of source: MapSourceEntry) throws(ResourceError) -> SourceDetails {
        try source.details(shouldStop: { stop?.isSet == true })
    }

    /// The tiles of a source. Blocks where it is far away.
    func data(_ name: String) throws(EndpointError) -> TileSetDescription {
        guard let source = library.source(named: name) else { throw .sourceAbsent(among: library.sourceNames) }
        let details: SourceDetails
        do throws(ResourceError) { details = try self.details(of: source) } catch { throw .mapSource(error) }
        var set = TileSetDescription(
            name: name, template: address("/data/\(name)/{z}/{x}/{y}.\(details.format.fileExtension)"),
            zooms: details.zooms)
        set.title = details.title
        set.sentence = details.description
        set.attribution = details.attribution
        set.bounds = details.bounds.flatMap(TileSetDescription.Bounds.init) ?? .init()
        set.center = details.centre.map { [$0.longitude, $0.latitude, Double($0.zoom)] }
        if details.format == .vector {
            set.vectorLayers = details.vectorLayers
        } else {
            set.tileSize = details.tileSize
        }
        return set
    }

    /// All styles. Blocks where a source is far away.
    func capabilities() throws(EndpointError) -> WMTSCapabilities {
        let plain = try? TileRequest.parse([])
        var layers: [WMTSCapabilities.Layer] = []
        for name in library.styleNames {
            guard let plain else { break }
            let set = try rendered(name, plain)
            for isSharp in [false, true] {
                let end = isSharp ? "@2x" : ""
                let path = "/tiles/\(name)/{TileMatrix}/{TileCol}/{TileRow}\(end)"
                layers.append(
                    WMTSCapabilities.Layer(
                        name: name + end, title: (set.title ?? name) + (isSharp ? " (2×)" : ""), isSharp: isSharp,
                        templates: ["png", "jpeg"].map { (format: $0, template: address("\(path).\($0)")) },
                        bounds: set.bounds))
            }
        }
        return WMTSCapabilities(address: "\(base.text)/wmts", layers: layers)
    }
}
