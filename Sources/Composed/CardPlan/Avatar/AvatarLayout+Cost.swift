import CardGrammar
package import ImagePlan
import Parameters

extension AvatarLayout {
    /// What drawing and encoding cost at most: known from the request alone, before a picture is looked for. Each cell costs
    /// what the dearest thing that may stand in it costs. The pictures themselves come on top.
    package func predictedCost(as output: OutputFormat) -> PredictedCost {
        var (itemCount, characterCount) = (ringShapes.count * 2, 0)
        for cell in cells {
            switch cell.content {
            case .more: (itemCount, characterCount) = (itemCount + 2, characterCount + 4)
            case .person(let index):
                itemCount += request.itemLimit
                characterCount += request.initials(of: request.persons[index]).unicodeScalars.count
            }
        }
        if request.status != nil { itemCount += 1 }
        if request.badge != nil { (itemCount, characterCount) = (itemCount + 2, characterCount + 3) }
        let drawing = emptyScene.predictedCost(
            itemCount: itemCount, characterCount: characterCount, pictures: pictureSizes, at: request.scale,
            request.encoding, as: output)
        let cutting = PredictedCost.Step("cut", nanoseconds: cutNanoseconds, bytes: 0)
        return cutting.microseconds == 0 ? drawing : drawing.following(PredictedCost(steps: [cutting], frameCount: 1))
    }

    /// Each side of a disc in front cuts each side of what is behind it.
    private var cutNanoseconds: Double {
        func sides(_ radius: Double) -> Double { min(400, 15.7 * radius.squareRoot() + 4) }
        let outlineCount = Double(cells.count + 2 * ringShapes.count)
        let large = sides(height / 2)
        var cuts = 0.0
        if request.layout == .stack || request.layout == .pair {
            cuts += Double(cells.count - 1) * (ringShapes.isEmpty ? 1 : 2) * large * large
        }
        if request.status != nil { cuts += outlineCount * large * sides(dot.radius) }
        if request.badge != nil { cuts += outlineCount * large * sides(badge.radius) }
        return cuts * CardCost.cut
    }

    /// Bytes of the pictures, which are held until all is drawn.
    package var pictureByteCount: Int { pictureSizes.reduce(0) { $0 + $1.widthPx * $1.heightPx * 4 } }

    private var pictureSizes: [PixelSize] {
        let people = cells.compactMap { cell -> PixelSize? in
            guard case .person(let index) = cell.content, !pictureIDs(of: index).isEmpty else { return nil }
            return cell.size(at: request.scale.double)
        }
        return people + [badgePicture?.size].compactMap(\.self)
    }
}

extension AvatarRequest {
    /// The most shapes and lines that stand in for one person's picture.
    fileprivate var itemLimit: Int {
        var limit = 1
        for fallback in fallbacks {
            switch fallback {
            case .asset, .absent: continue
            // No font may have the letters: what comes after them is drawn then.
            case .initials: limit = max(limit, 2)
            case .retro: return max(limit, 1 + Self.retroSide * Self.retroSide)
            case .identicon: return max(limit, 1 + Self.identiconSide * Self.identiconSide)
            case .shape: return max(limit, 2)
            case .silhouette: return max(limit, 3)
            case .color, .blank: return limit
            }
        }
        return max(limit, 1 + Self.identiconSide * Self.identiconSide)
    }

    /// Squares in a row.
    static let identiconSide = 5
    static let retroSide = 8
}
