/// What looks at pixels to find out: what of a picture matters most.
package enum Interest: String, Hashable, Sendable {
    /// Skin, saturated color and edges.
    case attention
    case entropy
}

/// A corner of the stored picture.
package struct ImageCorner: Hashable, Sendable {
    /// Whether it lies in the last column.
    package let isRight: Bool
    /// Whether it lies in the last row.
    package let isBottom: Bool

    package init(isRight: Bool, isBottom: Bool) {
        self.isRight = isRight
        self.isBottom = isBottom
    }

    /// The corner that is seen at the top left after `orientation`.
    package init(seenAtTopLeftAfter orientation: Orientation) {
        let pixel = PixelRect(x: 0, y: 0, widthPx: 1, heightPx: 1)
        let stored = orientation.inverse.applied(to: pixel, within: PixelSize(widthPx: 2, heightPx: 2))
        self.init(isRight: stored.x == 1, isBottom: stored.y == 1)
    }
}

/// Something that a plan depends on and only pixels tell. All coordinates are of the stored picture, before it is turned.
package enum PixelQuery: Hashable, Sendable {
    /// Which part is left when borders are cut whose samples differ from the pixel in `corner` by no more than the
    /// tolerance, 0–255? Answered by `region` or, where all is border, `nothing`.
    case trim(tolerance: Int, corner: ImageCorner)
    /// Around which point of `region` is a part of `keeping` to be kept? Answered by `point`, or `nothing` where the region
    /// is the same everywhere.
    case focus(Interest, region: PixelRect, keeping: PixelSize)
}

package enum PixelQueryResult: Hashable, Sendable {
    /// A part of the stored picture, never empty.
    case region(PixelRect)
    /// A point of the region asked about, each 0…1 of its width and height, not turned.
    case point(x: Double, y: Double)
    case nothing
}

/// What became known of the pixels so far.
package typealias AnalysisResults = [PixelQuery: PixelQueryResult]

/// What comes of planning: the plan, or what has to be found out first.
package enum Planning: Equatable, Sendable {
    case plan(ImagePlan)
    /// Answer this, add it to the analysis, and plan again. No question is asked twice.
    case ask(PixelQuery)
}
