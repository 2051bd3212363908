import Colors
import MapStyle
import Raster

/// Paints `symbol` layers: the icons of all tiles, then the texts of all. Sides of tiles do not cut them.
enum SymbolPainter {
    static func paint(_ layer: StyleLayer, _ scene: SymbolScene, _ frame: Frame) throws(MapError) {
        guard let symbols = scene.layers[layer.id] else { return }
        frame.list.setClip(nil)
        if layer[.iconOpacity].constant?.number != 0 { try paint(.icon, of: layer, symbols, frame) }
        if layer[.textOpacity].constant?.number != 0 { try paint(.text, of: layer, symbols, frame) }
    }

    private static func paint(
        _ part: SymbolPart, of layer: StyleLayer, _ symbols: SymbolScene.Layer, _ frame: Frame
    ) throws(MapError) {
        var segments: [SymbolSegment] = []
        for (tile, placements) in zip(symbols.tiles, symbols.placements) {
            if frame.shouldStop() { throw .cancelled }
            var builder = SymbolQuadBuilder(part, of: tile, layer, frame)
            segments.append(contentsOf: builder.build(placements))
        }
        if layer.variesSortKey, symbols.tiles.contains(where: { $0.settings.canOverlap }) {
            segments = segments.stablySorted(by: \.sortKey)
        }
        let width = layer[part == .text ? .textHaloWidth : .iconHaloWidth]
        let hasHalo = !width.isFeatureConstant || width.number(frame.layerContext()) != 0
        for segment in segments {
            // All halos first: none lies over its neighbour's letters.
            if hasHalo, segment.isSDF { for run in segment.runs { paint(run, segment, isHalo: true, frame) } }
            for run in segment.runs { paint(run, segment, isHalo: false, frame) }
        }
    }

    private static func paint(_ run: SymbolRun, _ segment: SymbolSegment, isHalo: Bool, _ frame: Frame) {
        guard let quads = run.quads else { return }
        let paint = run.paint
        guard run.isSDF else {
            let opacity = frame.paint(.black, opacity: paint.opacity).alpha
            frame.list.quads(quads, .picture(opacity: opacity, isSmooth: segment.isSmooth))
            return
        }
        let color = isHalo ? paint.haloColor : run.color ?? paint.color
        let ramp = DistanceRamp(
            fontScale: run.fontScale, pixelRatio: frame.pixelRatio, gammaScale: run.gammaScale,
            haloWidth: isHalo ? paint.haloWidth : nil, blur: isHalo ? paint.haloBlur : 0)
        frame.list.quads(quads, .distance(ramp, color: frame.paint(color, opacity: paint.opacity)))
    }
}
