import Bytes
import MapStyle
import Raster

struct HillshadePainter {
    private static let scaleCount = 17

    private let exaggeration: Double
    private let method: ReliefLight.Method
    private let sources: [ReliefLight.Source]

    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        guard let source = layer.source, case .heights(let tiles) = frame.sources[source] ?? .none,
            let painter = HillshadePainter(layer, frame)
        else { return }
        let isSmooth = layer[.hillshadeOwnResampling].value(frame.layerContext()) != .string("nearest")
        for tile in tiles {
            if frame.shouldStop() { throw .cancelled }
            guard let slopes = painter.slopes(tile) else { continue }
            let light = ReliefLight(
                method: painter.method, sources: painter.sources, scales: painter.scales(tile.tile.id))
            frame.surface(.relief(slopes, isSmooth: isSmooth, light), tile: tile.tile, shownAs: tile.shownAs)
        }
    }

    private init?(_ layer: StyleLayer, _ frame: Frame) {
        let context = frame.layerContext()
        exaggeration = max(0, min(1, layer[.hillshadeExaggeration].number(context)))
        guard exaggeration > 0 else { return nil }
        let name = layer[.hillshadeMethod].value(context).string ?? "standard"
        method = Self.method(
            name, exaggeration, accent: SIMD4<Float>(layer[.hillshadeAccentColor].color(context).premultiplied * 255))
        let count = name == "multidirectional" ? 16 : 1
        sources = Array(Self.sources(layer, frame).prefix(count))
        if sources.isEmpty { return nil }
    }

    private static func method(_ name: String, _ exaggeration: Double, accent: SIMD4<Float>) -> ReliefLight.Method {
        switch name {
        case "igor": return .igor(strength: .init { Trigonometry.angle(x: 1, y: $0 * exaggeration * 2) * 2 / .pi })
        case "combined":
            return .combined(
                angle: .init { Trigonometry.angle(x: 1, y: $0 * exaggeration * 2) }, factor: Float(exaggeration * 2))
        case "basic", "multidirectional": return .diffuse(factor: Float(exaggeration * 2))
        default:
            let strength = min(1, exaggeration * 2)
            return .standard(
                shade: .init { Trigonometry.sineAndCosine(steepness($0, exaggeration)).sine * strength },
                accent: .init { (1 - Trigonometry.sineAndCosine(steepness($0, exaggeration)).cosine) * strength },
                color: accent)
        }
    }

    private static func steepness(_ slope: Double, _ intensity: Double) -> Double {
        let angle = Trigonometry.angle(x: 1, y: 0.625 * slope)
        let base = 1.875 - intensity * 1.75
        let most = Double.pi / 2
        guard intensity != 0.5, base > 0, base != 1 else { return angle }
        let logarithm = Trigonometry.logarithm2(base)
        func power(_ exponent: Double) -> Double { Trigonometry.powerOfTwo(logarithm * exponent) }
        return (power(angle) - 1) / (power(most) - 1) * most
    }

    private static func sources(_ layer: StyleLayer, _ frame: Frame) -> [ReliefLight.Source] {
        let context = frame.context
        let directions = numbers(layer[.hillshadeIlluminationDirection].value(context))
        let altitudes = numbers(layer[.hillshadeIlluminationAltitude].value(context))
        let shadows = colors(layer[.hillshadeShadowColor].value(context))
        let highlights = colors(layer[.hillshadeHighlightColor].value(context))
        guard !directions.isEmpty, !altitudes.isEmpty, !shadows.isEmpty, !highlights.isEmpty else { return [] }
        func element<Property>(_ list: [Property], _ index: Int) -> Property { list[min(index, list.count - 1)] }
        let isViewport = layer[.hillshadeIlluminationAnchor].value(context) == .string("viewport")
        let turn = isViewport ? frame.view.camera.bearing + frame.view.camera.roll : 0
        let count = max(directions.count, altitudes.count, shadows.count, highlights.count)
        return (0..<count).map { index in
            let azimuth = Trigonometry.radians(element(directions, index) + turn) + .pi
            let (sine, cosine) = Trigonometry.sineAndCosine(azimuth)
            let altitude = Trigonometry.sineAndCosine(Trigonometry.radians(element(altitudes, index)))
            return ReliefLight.Source(
                shadow: SIMD4<Float>(element(shadows, index).premultiplied * 255),
                highlight: SIMD4<Float>(element(highlights, index).premultiplied * 255), azimuth: Float(azimuth),
                azimuthSine: Float(sine), azimuthCosine: Float(cosine), altitudeSine: Float(altitude.sine),
                altitudeCosine: Float(altitude.cosine))
        }
    }

    private static func numbers(_ value: Value) -> [Double] {
        switch value {
        case .number(let number): [number]
        case .numbers(let numbers): numbers
        default: []
        }
    }

    private static func colors(_ value: Value) -> [StyleColor] {
        switch value {
        case .color(let color): [color]
        case .colors(let colors): colors
        default: []
        }
    }

    /// The growth of slopes down the tile, as the map is stretched away from the equator.
    private func scales(_ tile: TileCoordinate) -> [Float] {
        let count = Trigonometry.powerOfTwo(Double(tile.z))
        let north = Mercator.latitude(y: Double(tile.y) / count)
        let south = Mercator.latitude(y: Double(tile.y + 1) / count)
        return (0..<Self.scaleCount).map { index in
            let latitude = north + (south - north) * Double(index) / Double(Self.scaleCount - 1)
            return Float(1 / Trigonometry.sineAndCosine(Trigonometry.radians(latitude)).cosine)
        }
    }

    /// In eight bits each way, as in MapLibre: -4…4 metres per metre.
    private func slopes(_ tile: HeightTile) -> Texture? {
        let side = tile.heights.side
        let stride = side + 2
        let zoom = Double(tile.tile.overscaledZ)
        // Flat lands get more relief at the levels of whole countries.
        let factor = zoom < 2 ? 0.4 : zoom < 4.5 ? 0.35 : 0.3
        let exponent = (zoom < 15 ? (zoom - 15) * factor : 0) + 28.2562 - zoom
        let scale = Float(Double(side) / Trigonometry.powerOfTwo(exponent) / 8 * 255)
        let bytes = tile.heights.metres.withUnsafeBufferPointer { heights in
            [UInt8](unsafeUninitializedCapacity: side * side * 4) { target, count in
                func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value * scale + 128.5))) }
                for row in 0..<side {
                    for column in 0..<side {
                        let first = row * stride + column
                        let (a, b, c) = (heights[first], heights[first + 1], heights[first + 2])
                        let (d, f) = (heights[first + stride], heights[first + stride + 2])
                        let last = first + stride * 2
                        let (g, h, i) = (heights[last], heights[last + 1], heights[last + 2])
                        let place = (row * side + column) * 4
                        target[place] = byte((c + f + f + i) - (a + d + d + g))
                        target[place + 1] = byte((g + h + h + i) - (a + b + b + c))
                        target[place + 2] = 255
                        target[place + 3] = 255
                    }
                }
                count = side * side * 4
            }
        }
        return Texture(widthPx: side, heightPx: side, format: .rgba, texels: SharedBytes(bytes))
    }
}
