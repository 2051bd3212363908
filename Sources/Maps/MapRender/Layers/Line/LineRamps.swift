import MapStyle
import Raster

struct LineRamps {
    private static let smoothCount = 256
    /// Texels of colors with steps: enough for the closest view of a line through a tile.
    private static let stepCount = 4096
    /// Further parts of lines share the colors of whole lines.
    private static let limit = 64

    let isSmooth: Bool
    private let gradient: PropertyExpression
    private var ramps: [ClosedRange<Double>: Texture] = [:]

    init(_ layer: StyleLayer) {
        gradient = layer[.lineGradient]
        isSmooth = !gradient.isStep
    }

    mutating func ramp(_ clip: ClosedRange<Double>, _ context: EvaluationContext) -> Texture? {
        let key = ramps[clip] != nil || ramps.count < Self.limit ? clip : 0...1
        if let ramp = ramps[key] { return ramp }
        let ramp = ColorRamp.texture(
            gradient, context, count: isSmooth ? Self.smoothCount : Self.stepCount, range: key
        ) { $0.lineProgress = $1 }
        ramps[key] = ramp
        return ramp
    }

    static func clip(of cursor: FeatureCursor) -> ClosedRange<Double>? {
        guard let start = cursor.property(named: FeatureLayer.clipStartKey)?.number,
            let end = cursor.property(named: FeatureLayer.clipEndKey)?.number, start <= end
        else { return nil }
        return start...end
    }
}
