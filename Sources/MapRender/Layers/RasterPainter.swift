import MapStyle
import Raster

/// Paints layers of kind `raster`: tiles of pictures, or one picture between four corners.
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

    /// How the colours mix when they are turned by an angle around grey.
    private static func spin(degrees: Double) -> SIMD3<Float> {
        let (sine, cosine) = Trigonometry.sineAndCosine(Trigonometry.radians(degrees))
        let root = 3.0.squareRoot()
        return SIMD3<Float>(
            SIMD3(2 * cosine + 1, -root * sine - cosine + 1, root * sine - cosine + 1) / 3)
    }
}

extension Frame {
    /// Draws what covers a tile, inside of the squares that show it.
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

    /// Draws a picture between corners given as longitude and latitude, from the top left clockwise.
    func surface(_ content: SurfaceContent, corners: [[Double]]) {
        guard corners.count == 4, corners.allSatisfy({ $0.count >= 2 && abs($0[0]) < 1e4 && $0[1].isFinite }) else {
            return
        }
        let places = corners.map { corner in
            let latitude = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, corner[1]))
            return ScreenPoint(x: Mercator.x(longitude: corner[0]), y: Mercator.y(latitude: latitude))
        }
        // The corners are held to the units of the tile that the picture is about as large as.
        let xs = places.map(\.x), ys = places.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
        let size = max(right - left, bottom - top, 1e-9)
        let level = max(0, -Trigonometry.logarithm2(size).rounded(.up))
        let count = Trigonometry.powerOfTwo(level)
        let tile = TileCoordinate(
            z: Int(level), x: Int(((left + right) / 2 * count).rounded(.down)),
            y: Int(((top + bottom) / 2 * count).rounded(.down)))
        let side = Double(FeatureLayer.extent)
        let held = places.map { place in
            ScreenPoint(
                x: ((place.x * count - Double(tile.x)) * side).rounded(),
                y: ((place.y * count - Double(tile.y)) * side).rounded())
        }
        list.setClip(nil)
        let projection = view.projection(of: PlacedTile(id: tile), shift: view.pixelShift)
        let ordered = [held[0], held[1], held[3], held[2]]
        list.surface(Surface(triangles: triangles(ordered, projection), content: content))
    }

    /// The two triangles between four places of a tile: top left, top right, bottom left, bottom right.
    private func triangles(_ places: [ScreenPoint], _ projection: TileProjection) -> [SurfaceVertex] {
        let values = [SIMD2<Double>(0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1)]
        var vertices: [SurfaceVertex] = []
        for corners in [[0, 2, 1], [1, 2, 3]] {
            let polygon = projection.polygon(corners.map { (places[$0].x, places[$0].y, values[$0]) })
            guard polygon.count >= 3 else { continue }
            for index in 2..<polygon.count {
                for corner in [polygon[0], polygon[index - 1], polygon[index]] {
                    vertices.append(
                        SurfaceVertex(
                            x: Float(corner.place.x), y: Float(corner.place.y), depth: Float(corner.depth),
                            across: Float(corner.value.x), down: Float(corner.value.y)))
                }
            }
        }
        return vertices
    }
}
