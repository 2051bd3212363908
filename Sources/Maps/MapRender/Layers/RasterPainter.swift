import MapStyle
import Raster

enum RasterPainter {
    static func paint(_ layer: StyleLayer, _ frame: Frame) {
        let context = frame.layerContext()
        var adjustment = PictureAdjustment()
        adjustment.opacity = Float(max(0, min(1, layer[.rasterOpacity].number(context))))
        guard adjustment.opacity > 0, let source = layer.source else { return }
        let saturation = layer[.rasterSaturation].number(context)
        adjustment.saturation = Float(saturation > 0 ? 1 - 1 / (1.001 - min(1, saturation)) : -saturation)
        let contrast = layer[.rasterContrast].number(context)
        adjustment.contrast = Float(contrast > 0 ? 1 / max(1e-4, 1 - contrast) : 1 + contrast)
        adjustment.low = Float(layer[.rasterBrightnessMin].number(context))
        adjustment.high = Float(layer[.rasterBrightnessMax].number(context))
        adjustment.spin = spin(degrees: layer[.rasterHueRotate].number(context))
        let isSmooth = ![.rasterResampling, .rasterOwnResampling].contains {
            layer[$0].value(context) == .string("nearest")
        }
        switch frame.sources[source] ?? .none {
        case .raster(let tiles):
            for tile in tiles {
                let content = SurfaceContent.picture(tile.texture, isSmooth: isSmooth, hasLevels: true, adjustment)
                frame.surface(content, tile: tile.tile, shownAs: tile.shownAs)
            }
        case .image(let image):
            let content = SurfaceContent.picture(image.texture, isSmooth: isSmooth, hasLevels: false, adjustment)
            frame.surface(content, corners: image.corners)
        case .features, .heights, .none: break
        }
    }

    private static func spin(degrees: Double) -> SIMD3<Float> {
        let (sine, cosine) = Trigonometry.sineAndCosine(Trigonometry.radians(degrees))
        let root = 3.0.squareRoot()
        return SIMD3<Float>(SIMD3(2 * cosine + 1, -root * sine - cosine + 1, root * sine - cosine + 1) / 3)
    }
}

extension Frame {
    func surface(_ content: SurfaceContent, tile: PlacedTile, shownAs: [PlacedTile]) {
        let shift = view.pixelShift
        let side = Double(FeatureLayer.extent)
        let corners = [
            ScreenPoint.zero, ScreenPoint(x: side, y: 0), ScreenPoint(x: 0, y: side), ScreenPoint(x: side, y: side),
        ]
        let triangles = triangles(corners, view.projection(of: tile, shift: shift))
        for square in shownAs {
            list.setClip(clip(view.projection(of: square, shift: shift)))
            list.surface(Surface(triangles: triangles, content: content))
        }
    }
}
