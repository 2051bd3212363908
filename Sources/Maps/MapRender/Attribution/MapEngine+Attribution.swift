package import MapStyle

extension MapEngine {
    /// Whom to credit beside any picture of `style`, as plain text, each once. Blocks for reading what its sources are.
    package func attribution(
        of style: Style, resources: (any MapResources)? = nil
    ) throws(MapError) -> [String] {
        try described(style, camera: nil, resources: resources, shouldStop: { false }).attribution
    }

    /// The coverage seen from `camera`, and whom to credit. Blocks for reading what the sources are; reads no tile. Polls
    /// `shouldStop`; throws `cancelled`.
    package func summary(
        of style: Style, _ camera: Camera, resources: (any MapResources)? = nil,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(MapError) -> (coverage: MapCoverage, attribution: [String]) {
        try described(style, camera: camera, resources: resources, shouldStop: shouldStop)
    }

    private func described(
        _ style: Style, camera: Camera?, resources: (any MapResources)?, shouldStop: @escaping () -> Bool
    ) throws(MapError) -> (coverage: MapCoverage, attribution: [String]) {
        let loader = camera.map { camera in
            SourceLoader(
                style: style, view: View(camera),
                resources: NotedResources(base: resources ?? self.resources, faults: FaultBook()), caches: caches,
                shouldStop: shouldStop)
        }
        let resources = resources ?? self.resources
        let book = AttributionBook()
        var seen: Set<String> = []
        for layer in style.layers {
            guard let id = layer.source, seen.insert(id).inserted, let source = style.sources[id] else { continue }
            switch source {
            case .vector(let tiles), .raster(let tiles), .rasterDEM(let tiles, _):
                let isShown = try loader?.describe(id, source, book) ?? true
                guard isShown else { continue }
                let set = try TileSet.resolve(tiles, resources, keptIn: caches, shouldStop: shouldStop)
                book.add(set?.attribution ?? tiles.attribution)
            case .geoJSON(let source): book.add(source.attribution)
            case .image, .video: break
            }
        }
        return (loader?.coverages.coverage ?? .full, book.lines)
    }
}

extension SourceLoader {
    /// Notes a source's coverage if a layer draws it, and the credits of what is drawn around it. Returns whether it may show.
    fileprivate func describe(
        _ id: String, _ source: StyleSource, _ book: AttributionBook
    ) throws(MapError) -> Bool {
        let context = EvaluationContext()
        context.zoom = view.camera.zoom
        context.globalState = style.globalState
        guard style.layers.contains(where: { $0.source == id && $0.isDrawn(context) }) else { return true }
        if let inner = style.surroundings[id].flatMap({ style.sources[$0] }) {
            guard let split = try ground(of: inner) else { return false }
            return !split.uncovered.isEmpty
        }
        guard let split = try ground(of: source) else { return true }
        coverages.add(split.coverage)
        if !split.uncovered.isEmpty, case .vector(let tiles) = source, let address = tiles.url {
            book.add(resources.surroundings(of: address)?.attribution)
        }
        return true
    }
}
