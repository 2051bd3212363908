package import Parameters

/// One filter of the `filter` parameter with its argument.
package enum ImageFilter: Hashable, Sendable {
    /// Takes the colour out (luma), keeps alpha.
    case grayscale
    /// Gaussian blur with this standard deviation in pixels, more than 0; at most 100 in a request, 1600 in a
    /// plan, where blurs that follow each other are one.
    case blur(sigma: PlainDecimal)
    /// Sharpens with a mask of this standard deviation in pixels, more than 0; at most 10 in a request, 40 in a plan.
    case sharpen(sigma: PlainDecimal)
    /// −100 (black) … 0 (unchanged) … 100 (white).
    case brightness(PlainDecimal)
    /// −100 (flat grey) … 0 (unchanged) … 100 (strongest).
    case contrast(PlainDecimal)
}
