package import Parameters

/// A point of an image, each coordinate 0…1 of its side.
package struct FocalPoint: Hashable, Sendable, Codable {
    package let x: PlainDecimal
    package let y: PlainDecimal

    package init(x: PlainDecimal, y: PlainDecimal) { (self.x, self.y) = (x, y) }

    /// As `gravity` takes it: `0.62x0.35`.
    package var text: String { "\(x)x\(y)" }

    /// The place of this point of `whole` in `region` of it; the nearest one of `region` if it is outside.
    func within(_ region: PixelRect, of whole: PixelSize) -> FocalPoint {
        func share(_ point: PlainDecimal, of whole: Int, from start: Int, length: Int) -> PlainDecimal {
            let unit = Int128(1_000_000_000)
            let place = Int128(point.billionths) * Int128(whole) - Int128(start) * unit
            return PlainDecimal(billionths: Int64(min(max(0, place / Int128(max(1, length))), unit)))
        }
        return FocalPoint(
            x: share(x, of: whole.widthPx, from: region.x, length: region.widthPx),
            y: share(y, of: whole.heightPx, from: region.y, length: region.heightPx))
    }
}

extension Orientation {
    /// The place of `point` after this.
    func applied(to point: FocalPoint) -> FocalPoint {
        func opposite(_ share: PlainDecimal) -> PlainDecimal {
            PlainDecimal(billionths: 1_000_000_000 - share.billionths)
        }
        let (x, y) = (isMirrored ? opposite(point.x) : point.x, point.y)
        return switch quarterTurns {
        case 1: FocalPoint(x: opposite(y), y: x)
        case 2: FocalPoint(x: opposite(x), y: opposite(y))
        case 3: FocalPoint(x: y, y: opposite(x))
        default: FocalPoint(x: x, y: y)
        }
    }
}

extension ImageRequest {
    /// Whether the image depends on the focal point that is stored for it.
    package var usesFocalPoint: Bool {
        if case .stored = gravity { return true }
        switch crop {
        case .size(_, .stored), .ratio(_, _, .stored): return true
        default: return false
        }
    }

    /// The place that gravity falls back to when pixels tell nothing; nil where it looks at none.
    package var placeWithoutPixels: Compass? {
        switch gravity {
        case .interest(_, let place): place
        case .stored(let place): focalPoint == nil ? place : nil
        case .compass, .focus: nil
        }
    }
}
