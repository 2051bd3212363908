package import MapStyle

extension MapEngine {
    /// Who has to be named beside any picture of `style`, as plain text, each once. Blocks for reading what its sources are.
    /// `resources` stand in for the engine's own.
    package func attribution(of style: Style, resources: (any MapResources)? = nil) -> [String] {
        let resources = resources ?? self.resources
        let book = AttributionBook()
        var seen: Set<String> = []
        for layer in style.layers {
            guard let id = layer.source, seen.insert(id).inserted, let source = style.sources[id] else { continue }
            switch source {
            case .vector(let tiles), .raster(let tiles), .rasterDEM(let tiles, _):
                book.add(TileSet.resolve(tiles, resources)?.attribution ?? tiles.attribution)
            case .geoJSON(let source): book.add(source.attribution)
            case .image, .video: break
            }
        }
        return book.lines
    }
}
