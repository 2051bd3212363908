import MapStyle
import Raster

/// Paints layers of kind `symbol`: the icons of all tiles, then the texts of all tiles. They are not cut at the sides of tiles.
enum SymbolPainter {
    static func paint(_ layer: StyleLayer, _ scene: SymbolScene, _ frame: Frame) throws(MapError) {
        guard let symbols = scene.layers[layer.id] else { return }
        frame.list.setClip(nil)
        if layer[.iconOpacity].constant?.number != 0 { try paint(layer, symbols, .icon, frame) }
        if layer[.textOpacity].constant?.number != 0 { try paint(layer, symbols, .text, frame) }
    }

    private static func paint(
        _ layer: StyleLayer, _ symbols: SymbolScene.Layer, _ part: SymbolPart, _ frame: Frame
    ) throws(MapError) {
        var segments: [SymbolSegment] = []
        for (tile, placements) in zip(symbols.tiles, symbols.placements) {
            if frame.shouldStop() { throw .cancelled }
            var setter = SymbolSetter(layer, tile, part, frame)
            segments.append(contentsOf: setter.set(placements))
        }
        if layer.variesSortKey, symbols.tiles.contains(where: { $0.settings.canOverlap }) {
            segments = segments.enumerated().sorted {
                ($0.element.sortKey, $0.offset) < ($1.element.sortKey, $1.offset)
            }.map(\.element)
        }
        let width = layer[part == .text ? .textHaloWidth : .iconHaloWidth]
        let hasHalo = !width.isFeatureConstant || width.number(frame.layerContext()) != 0
        for segment in segments {
            // All halos first: none lies over its neighbour's letters.
            if hasHalo, segment.isSDF {
                for run in segment.runs { paint(run, segment, isHalo: true, frame) }
            }
            for run in segment.runs { paint(run, segment, isHalo: false, frame) }
        }
    }

    private static func paint(_ run: SymbolRun, _ segment: SymbolSegment, isHalo: Bool, _ frame: Frame) {
        let paint = run.paint
        guard run.isSDF else {
            let opacity = frame.paint(.black, opacity: paint.opacity).alpha
            frame.list.paint(run.quads, .picture(opacity: opacity, isSmooth: segment.isSmooth))
            return
        }
        let color = isHalo ? paint.haloColor : run.color ?? paint.color
        let ramp = DistanceRamp(
            fontScale: run.fontScale, pixelRatio: frame.pixelRatio, gammaScale: run.gammaScale,
            haloWidth: isHalo ? paint.haloWidth : nil, blur: isHalo ? paint.haloBlur : 0)
        frame.list.paint(run.quads, .distance(ramp, color: frame.paint(color, opacity: paint.opacity)))
    }
}

/// The two parts of a symbol.
enum SymbolPart {
    case icon
    case text
}

/// Quads that are painted in one way.
struct SymbolRun {
    var quads: QuadRange
    var paint: SymbolPaint
    /// The color of a section of text.
    var color: StyleColor?
    /// CSS pixels of a unit of the quads.
    var fontScale: Double
    /// How much wider edges are than face to face.
    var gammaScale: Double
    var isSDF: Bool
}

/// Symbols of a tile that are painted in one go.
struct SymbolSegment {
    var sortKey: Double
    var runs: [SymbolRun] = []
    /// Whether coverage comes from signed distances.
    var isSDF: Bool
    /// Whether pictures are interpolated.
    var isSmooth: Bool
}

extension SymbolSettings {
    /// Whether a symbol may come to lie over another.
    var canOverlap: Bool {
        text.overlap != .never || icon.overlap != .never || text.ignoresPlacement || icon.ignoresPlacement
    }
}
