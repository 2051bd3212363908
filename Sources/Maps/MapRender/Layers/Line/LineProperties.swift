import MapStyle
import Raster

struct LayerNumber {
    private let property: PropertyExpression
    private let constant: Double?

    init(_ property: PropertyExpression, _ context: EvaluationContext) {
        self.property = property
        constant = property.isFeatureConstant ? property.number(context) : nil
    }

    var isConstant: Bool { constant != nil }

    @inline(__always) func value(_ context: EvaluationContext) -> Double { constant ?? property.number(context) }
    var maximum: Double { constant ?? .infinity }
}

struct LineProperties {
    private let layer: StyleLayer
    private let frame: Frame
    let tile: PlacedTile
    private let width, gapWidth, offset, blur, opacity, miterLimit, roundLimit: LayerNumber
    private let color: StyleColor?
    private let cap: LineTessellator.Cap?
    private let join: LineTessellator.Join?
    private let layoutZoom, pixelRatio: Double

    init(_ layer: StyleLayer, _ frame: Frame, tile: PlacedTile) {
        (self.layer, self.frame, self.tile) = (layer, frame, tile)
        let context = frame.layerContext()
        width = LayerNumber(layer[.lineWidth], context)
        gapWidth = LayerNumber(layer[.lineGapWidth], context)
        offset = LayerNumber(layer[.lineOffset], context)
        blur = LayerNumber(layer[.lineBlur], context)
        opacity = LayerNumber(layer[.lineOpacity], context)
        color = layer[.lineColor].isFeatureConstant ? layer[.lineColor].color(context) : nil
        layoutZoom = Double(tile.overscaledZ)
        pixelRatio = frame.pixelRatio
        (miterLimit, roundLimit, cap, join) = context.at(zoom: layoutZoom) {
            (
                LayerNumber(layer[.lineMiterLimit], context), LayerNumber(layer[.lineRoundLimit], context),
                layer[.lineCap].isFeatureConstant ? Self.cap(layer, context) : nil,
                layer[.lineJoin].isFeatureConstant ? Self.join(layer, context) : nil
            )
        }
    }

    private static func cap(_ layer: StyleLayer, _ context: EvaluationContext) -> LineTessellator.Cap {
        layer[.lineCap].value(context).string.flatMap(LineTessellator.Cap.init) ?? .butt
    }

    private static func join(_ layer: StyleLayer, _ context: EvaluationContext) -> LineTessellator.Join {
        layer[.lineJoin].value(context).string.flatMap(LineTessellator.Join.init) ?? .miter
    }

    var isInvisible: Bool { opacity.maximum <= 0 || width.maximum <= 0 }

    /// CSS pixels that lines reach from their middle; infinite when that depends on features.
    var reach: Double {
        // Corners of miters are up to twice as far.
        2.1 * (gapWidth.maximum / 2 + width.maximum + 1) + abs(offset.maximum) * 2.1
    }

    /// nil when there is nothing to see. `Shape.clip` and dashes are not set.
    func feature(_ context: EvaluationContext) -> (shape: LineTessellator.Shape, paint: LinePaint)? {
        let opacity = opacity.value(context)
        let halfWidth = Self.held(width.value(context)) / 2
        guard opacity >= 0.01 else { return nil }
        let gap = Self.held(gapWidth.value(context)) / 2
        let feather = 0.5 / pixelRatio
        var shape = LineTessellator.Shape()
        shape.outset = gap + halfWidth * (gap > 0 ? 2 : 1) + (halfWidth == 0 ? 0 : feather)
        shape.offset = max(-4096, min(4096, offset.value(context)))
        func setLayout() {
            shape.cap = cap ?? Self.cap(layer, context)
            shape.join = join ?? Self.join(layer, context)
            shape.miterLimit = miterLimit.value(context)
            shape.roundLimit = roundLimit.value(context)
        }
        let isConstant = cap != nil && join != nil && miterLimit.isConstant && roundLimit.isConstant
        if isConstant { setLayout() } else { context.at(zoom: layoutZoom, setLayout) }
        let color = frame.paint(color ?? layer[.lineColor].color(context), opacity: opacity)
        let paint = LinePaint(
            ink: .color(color), outset: Float(shape.outset * pixelRatio),
            inset: Float((gap > 0 ? gap + feather : 0) * pixelRatio),
            feather: Float(Self.held(blur.value(context)) * pixelRatio + 1))
        return (shape, paint)
    }

    func opacity(_ context: EvaluationContext) -> Double { max(0, min(1, opacity.value(context))) }

    func floorWidth(_ context: EvaluationContext) -> Double {
        context.at(zoom: context.zoom.rounded(.down)) { Self.held(layer[.lineWidth].number(context)) }
    }

    var isUniform: Bool {
        width.isConstant && gapWidth.isConstant && offset.isConstant && blur.isConstant && opacity.isConstant
            && color != nil && cap != nil && join != nil && miterLimit.isConstant && roundLimit.isConstant
    }

    private static func held(_ length: Double) -> Double { max(0, min(4096, length)) }
}

extension EvaluationContext {
    func at<Result>(zoom other: Double, _ body: () -> Result) -> Result {
        let own = zoom
        zoom = other
        defer { zoom = own }
        return body()
    }
}
