import Bytes
import MapStyle
import Raster

/// Rows of colors from expressions over one number, as in MapLibre: at evenly spaced values, ends included.
enum ColorRamp {
    /// `set` puts a value into the context.
    static func texture(
        _ property: PropertyExpression, _ context: EvaluationContext, count: Int = 256,
        range: ClosedRange<Double> = 0...1, set: (EvaluationContext, Double) -> Void
    ) -> Texture? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 4)
        for index in 0..<count {
            let share = Double(index) / Double(max(1, count - 1))
            set(context, range.lowerBound * (1 - share) + range.upperBound * share)
            let color = property.color(context).premultiplied
            for channel in 0..<4 { bytes.append(UInt8(max(0, min(255, (color[channel] * 255).rounded())))) }
        }
        return Texture(widthPx: count, heightPx: 1, format: .rgba, texels: SharedBytes(bytes))
    }
}
