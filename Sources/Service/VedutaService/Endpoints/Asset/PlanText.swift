import ImagePlan

enum PlanText {
    static func text(_ step: ImageStep) -> String {
        switch step {
        case .extract(let rect): "extract \(text(rect))"
        case .resize(let size): "resize \(text(size))"
        case .crop(let rect): "crop \(text(rect))"
        case .orient(let orientation):
            "orient \(orientation.isMirrored ? "mirrored, " : "")\(90 * orientation.quarterTurns)°"
        case .pad(let canvas, let x, let y, _): "pad to \(text(canvas)) at \(x),\(y)"
        case .surround(let canvas, let x, let y): "blurred background of \(text(canvas)), image at \(x),\(y)"
        case .rotate(let degrees, let canvas, _): "rotate \(degrees)° to \(text(canvas))"
        case .filter(.within(let region, let filter)): "filter \(ImageFilter.within(region, filter).canonical)"
        case .filter(let filter): "filter \(filter)"
        case .overlay(let overlay): overlay.id.map { "overlay \($0)" } ?? "text"
        case .mask(.rounded(let radius)): "mask with corners of \(radius) px"
        case .mask(.ellipse): "mask with an ellipse"
        case .mask(.circle): "mask with a circle"
        case .flatten: "flatten"
        }
    }

    static func text(_ question: PixelQuery) -> String {
        switch question {
        case .trim(let tolerance, _): "trim \(tolerance)"
        case .focus(let interest, let region, let keeping):
            "\(interest.rawValue) in \(text(region)) for \(text(keeping))"
        }
    }

    static func text(_ question: PixelQuery, _ answer: PixelQueryResult) -> String {
        let asked = text(question)
        switch answer {
        case .region(let rect): return "\(asked): \(text(rect))"
        case .point(let x, let y):
            return "\(asked): \(ImageFields.decimal(x * 100)) % across, \(ImageFields.decimal(y * 100)) % down"
        case .nothing: return "\(asked): nothing"
        }
    }

    private static func text(_ rect: PixelRect) -> String { "\(rect.widthPx)×\(rect.heightPx)+\(rect.x)+\(rect.y)" }
    private static func text(_ size: PixelSize) -> String { "\(size.widthPx)×\(size.heightPx)" }
}
