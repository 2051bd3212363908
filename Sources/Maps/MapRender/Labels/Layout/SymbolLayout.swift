import MapStyle
import Raster

/// Lays out a symbol layer in one tile. Features are shaped and cut into quads once for all their places. Layout
/// properties are taken at the level of the tile, paint properties at that of the picture.
final class SymbolLayout {
    static let instanceLimit = 1 << 15
    /// From this many on, no more features are laid out.
    static let quadLimit = 1 << 17
    /// A new paint is compared with the last few: neighbours often look the same.
    private static let paintMemory = 4

    let layer: StyleLayer
    let frame: Frame
    let shown: ShownFeatures
    let settings: SymbolSettings
    let textSize, iconSize: SymbolSize
    let reach: SymbolReach
    var result: SymbolTile

    private var textureIndexes: [ObjectIdentifier: Int32] = [:]
    private var keyIndexes: [String: Int32] = [:]
    private var repeats: [String: [SymbolPosition]] = [:]

    var context: EvaluationContext { frame.context }
    var tile: PlacedTile { shown.tile }
    var tileZoom: Double { Double(tile.overscaledZ) }

    init(_ layer: StyleLayer, _ frame: Frame, _ shown: ShownFeatures) {
        (self.layer, self.frame, self.shown) = (layer, frame, shown)
        let tile = shown.tile
        let context = frame.layerContext()
        let zoom = frame.view.camera.zoom
        textSize = SymbolSize(layer[.textSize], tileZoom: Double(tile.overscaledZ), zoom: zoom)
        iconSize = SymbolSize(layer[.iconSize], tileZoom: Double(tile.overscaledZ), zoom: zoom)
        reach = SymbolReach(layer, frame, tile)
        result = SymbolTile(
            tile: tile, windows: shown.windows, kept: shown.kept, settings: SymbolSettings(layer, context))
        context.zoom = Double(tile.overscaledZ)
        settings = SymbolSettings(layer, context)
        context.zoom = zoom
    }

    var iconPadding: Double {
        guard case .padding(let padding) = layer[.iconPadding].value(context) else { return 0 }
        return padding.values.max() ?? 0
    }

    func index(of texture: Texture) -> Int32 {
        if let index = textureIndexes[ObjectIdentifier(texture)] { return index }
        let index = Int32(result.textures.count)
        result.textures.append(texture)
        textureIndexes[ObjectIdentifier(texture)] = index
        return index
    }

    /// The number of a text by which other tiles know symbols.
    func key(of text: String) -> Int32 {
        if let index = keyIndexes[text] { return index }
        let index = Int32(result.keys.count)
        result.keys.append(text)
        keyIndexes[text] = index
        return index
    }

    func index(of color: StyleColor) -> Int32 {
        if let last = result.sectionColors.last, last == color { return Int32(result.sectionColors.count - 1) }
        result.sectionColors.append(color)
        return Int32(result.sectionColors.count - 1)
    }

    func add(_ quads: [SymbolQuad]) -> Range<Int32> {
        let first = Int32(result.quads.count)
        result.quads.append(contentsOf: quads)
        return first..<Int32(result.quads.count)
    }

    /// The index of how the feature's text or icon is painted.
    func paint(_ properties: SymbolPaintProperties) -> Int32 {
        context.zoom = frame.view.camera.zoom
        defer { context.zoom = tileZoom }
        let paint = SymbolPaint(
            color: layer[properties.color].color(context), haloColor: layer[properties.haloColor].color(context),
            haloWidth: layer[properties.haloWidth].number(context),
            haloBlur: layer[properties.haloBlur].number(context),
            opacity: max(0, min(1, layer[properties.opacity].number(context))))
        if let index = result.paints.suffix(Self.paintMemory).lastIndex(of: paint) { return Int32(index) }
        result.paints.append(paint)
        return Int32(result.paints.count - 1)
    }

    /// Whether the same text stands nearer than `distance`; if not, it now stands here.
    func isTooClose(_ text: String, _ place: SymbolPosition, distance: Double) -> Bool {
        let others = repeats[text] ?? []
        if others.count >= LineAnchors.limit { return true }
        let isNear = others.contains { other in
            let (dx, dy) = (place.x - other.x, place.y - other.y)
            return (dx * dx + dy * dy).squareRoot() < distance
        }
        if isNear { return true }
        repeats[text, default: []].append(place)
        return false
    }
}

struct SymbolPaintProperties {
    var color, haloColor, haloWidth, haloBlur, opacity: LayerProperty

    static let text = SymbolPaintProperties(
        color: .textColor, haloColor: .textHaloColor, haloWidth: .textHaloWidth, haloBlur: .textHaloBlur,
        opacity: .textOpacity)
    static let icon = SymbolPaintProperties(
        color: .iconColor, haloColor: .iconHaloColor, haloWidth: .iconHaloWidth, haloBlur: .iconHaloBlur,
        opacity: .iconOpacity)
}
