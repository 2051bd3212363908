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
    /// What the sources have of the view.
    let coverages = CoverageBook()

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
            if case .vector(let tiles) = source, let inner = style.surroundings[id].flatMap({ style.sources[$0] }) {
                contents[id] = try tilesAround(inner, of: tiles)
            } else {
                contents[id] = try content(of: source)
            }
        }
        return contents
    }

    /// The vector tiles of `source` where `inner`, another source, has nothing.
    private func tilesAround(_ inner: StyleSource, of source: TileSource) throws(MapError) -> SourceContent {
        guard let split = ground(of: inner), !split.uncovered.isEmpty,
            let archive = source.url.flatMap({ (try? resources.archive(at: $0)) ?? nil })
        else { return .none }
        return .features(try tiles(of: archive, around: split))
    }

    /// The ground of the view as the tiles of a source part it; nil for what has no tiles of its own.
    func ground(of source: StyleSource) -> GroundSplit? {
        switch source {
        case .vector(let tiles): ground(of: TileSet.resolve(tiles, resources), isPicture: false)
        case .raster(let tiles), .rasterDEM(let tiles, _):
            ground(of: TileSet.resolve(tiles, resources), isPicture: true)
        case .geoJSON, .image, .video: nil
        }
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

/// Collects what the sources of one picture have of its ground.
final class CoverageBook {
    private var found: [MapCoverage] = []

    /// Adds what a source has.
    func add(_ coverage: MapCoverage) { found.append(coverage) }

    /// What there is of all.
    var coverage: MapCoverage { .best(of: found) }
}
