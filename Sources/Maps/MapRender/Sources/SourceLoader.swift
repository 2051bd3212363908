import MapStyle

struct SourceLoader {
    let style: Style
    let view: View
    let resources: NotedResources
    let caches: MapCaches
    let shouldStop: () -> Bool
    var held = HeldBytes()
    let attributions = AttributionBook()
    let coverages = CoverageBook()
    let unreached = UnreachedBook()

    /// The content of every source that a layer draws at the view's zoom, by the source's id. Throws
    /// `cancelled` and `tilesTooLarge`.
    func load() throws(MapError) -> [String: SourceContent] {
        let context = EvaluationContext()
        context.zoom = view.camera.zoom
        context.globalState = style.globalState
        var contents: [String: SourceContent] = [:]
        for id in drawnSources(context) where contents[id] == nil {
            guard let source = style.sources[id] else { continue }
            if case .vector(let tiles) = source, let name = style.surroundings[id], let inner = style.sources[name] {
                contents[id] = try tilesAround(inner, named: name, of: tiles)
            } else {
                contents[id] = try content(of: source, named: id)
            }
        }
        return contents
    }

    /// The sources that layers draw, each once; those that others are drawn around come first, so that their gaps are known.
    private func drawnSources(_ context: EvaluationContext) -> [String] {
        var seen: Set<String> = []
        let ids = style.layers.compactMap { $0.isDrawn(context) ? $0.source : nil }.filter { seen.insert($0).inserted }
        return ids.filter { style.surroundings[$0] == nil } + ids.filter { style.surroundings[$0] != nil }
    }

    private func tilesAround(
        _ inner: StyleSource, named name: String, of source: TileSource
    ) throws(MapError) -> SourceContent {
        guard var split = try ground(of: inner) else { return .none }
        split.uncover(unreached.squares(of: name))
        guard !split.uncovered.isEmpty, let address = source.url else { return .none }
        let archive = try MapError.orGap { () throws(ResourceError) -> (any TileArchive)? in
            try resources.archive(at: address, shouldStop: shouldStop)
        }
        guard let archive else { return .none }
        return .features(try tiles(of: archive, around: split))
    }

    func ground(of source: StyleSource) throws(MapError) -> GroundSplit? {
        switch source {
        case .vector(let tiles): try ground(of: tileSet(of: tiles), isPicture: false)
        case .raster(let tiles), .rasterDEM(let tiles, _): try ground(of: tileSet(of: tiles), isPicture: true)
        case .geoJSON, .image, .video: nil
        }
    }

    func tileSet(of source: TileSource) throws(MapError) -> TileSet? {
        try TileSet.resolve(source, resources, keptIn: caches, shouldStop: shouldStop)
    }

    private func content(of source: StyleSource, named id: String) throws(MapError) -> SourceContent {
        switch source {
        case .vector(let source): try vectorTiles(of: source, named: id)
        case .geoJSON(let source): try geoJSONTiles(of: source)
        case .raster(let source): try rasterTiles(of: source, named: id)
        case .rasterDEM(let source, let encoding): try heightTiles(of: source, encoding, named: id)
        case .image(let source): try image(of: source)
        case .video: .none
        }
    }

    func checkStop() throws(MapError) { if shouldStop() { throw .cancelled } }
}

final class CoverageBook {
    private var found: [MapCoverage] = []

    func add(_ coverage: MapCoverage) { found.append(coverage) }
    var coverage: MapCoverage { .best(of: found) }
}

final class UnreachedBook {
    private var found: [String: [WorldBounds]] = [:]

    func add(_ squares: [WorldBounds], of source: String) {
        if !squares.isEmpty { found[source, default: []] += squares }
    }

    func squares(of source: String) -> [WorldBounds] { found[source] ?? [] }
    var squares: [WorldBounds] { found.values.flatMap(\.self) }
}
