package enum PlanError: Error, Equatable, Sendable, Codable {
    /// The crop lies outside the image, which has this size after EXIF orientation, flip and rotation.
    case cropOutside(widthPx: Int, heightPx: Int)
    /// The region has this size, and the result would be larger.
    case enlarges(widthPx: Int, heightPx: Int)
    /// A side of the image would be longer than the request allows.
    case sideTooLong(limitPx: Int)
    /// The result, or the image enlarged on the way to it, exceeds the format.
    case outputTooLarge(widthPx: Int, heightPx: Int, sideLimitPx: Int, areaLimitPx: Int)
    /// The result would have none of the listed widths, or heights, and cannot become smaller to have one.
    case sizeNotListed(widthPx: Int, heightPx: Int, ofHeight: Bool, listedPx: [Int])
    /// A side below 1 or above 2³⁰ px.
    case invalidSourceSize(widthPx: Int, heightPx: Int)
    /// The source has fewer pages or frames; `page` is from 1.
    case pageOutside(page: Int, pageCount: Int)
}
