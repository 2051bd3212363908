/// Why a valid request cannot be carried out on this source.
package enum PlanError: Error, Equatable, Sendable {
    /// The crop lies fully outside the picture; the picture's size after EXIF orientation, flip and rotation.
    case cropOutside(widthPx: Int, heightPx: Int)
    /// The result, or the picture enlarged on the way to it, would be larger than the format allows: `sideLimitPx` across
    /// or down, `areaLimitPx` in all.
    case outputTooLarge(widthPx: Int, heightPx: Int, sideLimitPx: Int, areaLimitPx: Int)
    /// The source claims a size that no picture has: a side below 1 or above 2³⁰ px.
    case invalidSourceSize(widthPx: Int, heightPx: Int)
    /// The source has fewer pages or frames than the number asked for, counted from 1.
    case pageOutside(page: Int, pageCount: Int)
}
