import MapStyle
import Raster

extension Frame {
    func patternImage(_ value: Value) -> StyleImage? {
        switch value {
        case .image(let image): images[image.name]
        case .string(let name): images[name]
        default: nil
        }
    }

    /// Texels per unit of the tile, and the texel at its corner. Patterns start in the north-west of the world, have
    /// their size at whole levels and grow with the map between them, so they go on from tile to tile.
    func patternPlacement(_ image: StyleImage, _ tile: PlacedTile) -> (scale: Double, start: ScreenPoint) {
        let side = 512 * Trigonometry.powerOfTwo(Double(view.camera.tileZoom - tile.id.z))
        let worldColumn = Double(tile.id.x) + Double(tile.wrap) * Trigonometry.powerOfTwo(Double(tile.id.z))
        let start = ScreenPoint(
            x: Self.remainder(worldColumn * side, image.width) * image.pixelRatio,
            y: Self.remainder(Double(tile.id.y) * side, image.height) * image.pixelRatio)
        return (side / Double(FeatureLayer.extent) * image.pixelRatio, start)
    }

    /// Moved by `translation` device pixels; nil when the ground is seen from its edge.
    func pattern(
        _ image: StyleImage, _ tile: PlacedTile, _ projection: TileProjection, translation: ScreenPoint, opacity: Double
    ) -> PatternPaint? {
        let offset = groundOffset(translation, projection)
        guard
            let ground = projection.mapping(origin: SIMD3(offset.x, offset.y, 0), s: SIMD3(1, 0, 0), t: SIMD3(0, 1, 0))
        else { return nil }
        let (scale, start) = patternPlacement(image, tile)
        let w = ground.inverseDistance
        let u = ground.s * scale + w * start.x
        let v = ground.t * scale + w * start.y
        var mapping = PatternPaint.Mapping(u: u, v: v, w: w)
        if projection.isFlat {
            let distance = 1 / w.z
            mapping = PatternPaint.Mapping(u: u * distance, v: v * distance, w: SIMD3(0, 0, 1))
        }
        return PatternPaint(texture: image.texture, mapping: mapping, opacity: Self.byte(opacity))
    }

    /// A translation in device pixels in units of the tile, as MapLibre moves things on the ground.
    func groundOffset(_ translation: ScreenPoint, _ projection: TileProjection) -> ScreenPoint {
        let turned = translation.turned(by: Trigonometry.radians(view.camera.bearing + view.camera.roll))
        return turned * (1 / (pixelRatio * projection.scale))
    }

    private static func remainder(_ value: Double, _ period: Double) -> Double {
        period > 0 ? value - (value / period).rounded(.down) * period : 0
    }

    static func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, (value * 255).rounded()))) }
}
