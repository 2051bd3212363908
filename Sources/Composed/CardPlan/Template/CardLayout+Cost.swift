package import ImagePlan
import Parameters

extension CardLayout {
    /// What drawing it costs at most, whichever pictures can be had, without reading them.
    package func predictedCost(as output: OutputFormat) -> PredictedCost {
        let conditions = CardConditions(request)
        var (items, characters, covered) = (1, 0, 0.0)
        let scale = request.scale.double
        func add(_ element: CardElement, in outer: CardRect) {
            items += 2
            let rect = element.frame.rect(in: outer)
            switch element.content {
            case .box:
                let (width, height) = (min(rect.width, canvas.width), min(rect.height, canvas.height))
                covered += max(0, width * height) * scale * scale
            case .text(let words):
                // A line has a mark of direction, and the last may have dots.
                characters += (conditions.text(words)?.unicodeScalars.count ?? 0) + words.lineLimit + 1
                items += words.lineLimit
            case .stack(let stack): for inner in stack.elements { add(inner, in: rect) }
            case .picture, .map: break
            }
        }
        for element in template.elements { add(element, in: canvas) }
        var drawn = pictures.map(\.size)
        if let map {
            func side(_ side: Int) -> Int { request.scale.multiplied(by: side) ?? side }
            drawn.append(PixelSize(widthPx: side(map.widthPx), heightPx: side(map.heightPx)))
        }
        return emptyScene.predictedCost(
            itemCount: items, characterCount: characters, pictures: drawn, coveredPixels: covered, at: request.scale,
            request.encoding, as: output)
    }

    /// Of the pixels that are held until it is drawn.
    package var pictureByteCount: Int { pictures.reduce(0) { $0 + $1.size.widthPx * $1.size.heightPx * 4 } }
}
