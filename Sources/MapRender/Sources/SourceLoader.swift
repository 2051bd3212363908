import Bytes
import MapStyle

/// Finds what a picture shows of the sources of its style. What cannot be had leaves a gap.
struct SourceLoader {
    let style: Style
    let view: View
    let resources: NotedResources
    let caches: MapCaches
    let shouldStop: () -> Bool
    /// Who has to be named for what was loaded.
    let attributions = AttributionBook()

    /// The content of every source that a layer draws at the view's zoom level, by the source's id.
    ///
    /// Throws `cancelled` when the picture is no longer wanted.
    func load() throws(MapError) -> [String: SourceContent] {
        let context = EvaluationContext()
        context.zoom = view.camera.zoom
        context.globalState = style.globalState
        var contents: [String: SourceContent] = [:]
        for layer in style.layers {
            guard let id = layer.source, contents[id] == nil, layer.isDrawn(context), let source = style.sources[id]
            else { continue }
            contents[id] = try content(of: source)
        }
        return contents
    }

    private func content(of source: StyleSource) throws(MapError) -> SourceContent {
        switch source {
        case .vector(let source): try vectorTiles(of: source)
        case .geoJSON(let source): try geoJSONTiles(of: source)
        case .raster(let source): try rasterTiles(of: source)
        case .rasterDEM(let source, let encoding): try heightTiles(of: source, encoding)
        case .image(let source): try image(of: source)
        case .video: .none
        }
    }

    /// Throws when the picture is no longer wanted; asked before each piece of work.
    func checkStop() throws(MapError) {
        if shouldStop() { throw .cancelled }
    }
}
