package import Colors

package enum Paint: Sendable {
    case color(Color)
    case pattern(PatternPaint)
    case gradient(GradientPaint)

    var isInvisible: Bool {
        switch self {
        case .color(let color): color.alpha == 0
        case .pattern(let pattern): pattern.opacity == 0
        case .gradient(let gradient): gradient.steps.allSatisfy { $0 == 0 }
        }
    }
}
