/// How the most interesting part of an image is found.
package enum Interest: String, Hashable, Sendable, Codable {
    /// Skin, saturated color and edges.
    case attention
    case entropy
}

package struct ImageCorner: Hashable, Sendable, Codable {
    package let isRight: Bool
    package let isBottom: Bool

    package init(isRight: Bool, isBottom: Bool) { (self.isRight, self.isBottom) = (isRight, isBottom) }

    /// The corner displayed at the top left after `orientation`.
    package init(seenAtTopLeftAfter orientation: Orientation) {
        let pixel = PixelRect(x: 0, y: 0, widthPx: 1, heightPx: 1)
        let stored = orientation.inverse.applied(to: pixel, within: PixelSize(widthPx: 2, heightPx: 2))
        self.init(isRight: stored.x == 1, isBottom: stored.y == 1)
    }
}

/// Something that a plan needs to know from pixels. Coordinates are of the stored image, before it is turned.
package enum PixelQuery: Hashable, Sendable, Codable {
    /// The part without borders within the tolerance, 0–255, of the pixel in `corner`: `region` or `nothing`.
    case trim(tolerance: Int, corner: ImageCorner)
    /// The point of `region` around which to keep a part of `keeping`: `point`, or `nothing` if it is even.
    case focus(Interest, region: PixelRect, keeping: PixelSize)
}

package enum PixelQueryResult: Hashable, Sendable, Codable {
    /// A non-empty part of the stored image.
    case region(PixelRect)
    /// A point of the queried region, each 0…1 of its width and height, not turned.
    case point(x: Double, y: Double)
    case nothing
}

package typealias AnalysisResults = [PixelQuery: PixelQueryResult]

package enum Planning: Equatable, Sendable {
    case plan(ImagePlan)
    /// Answer this, add it to the analysis, and plan again. No question is asked twice.
    case ask(PixelQuery)
}
