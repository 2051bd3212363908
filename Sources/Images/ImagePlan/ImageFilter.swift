package import Colors
package import Parameters

/// One filter of the `filter` parameter with its arguments.
///
/// Lengths are in pixels of the result before `scale`. A plan's are scaled. Percentages are 0–100 and say how much of the
/// effect is mixed in.
package enum ImageFilter: Hashable, Sendable {
    /// Gaussian blur with this standard deviation in pixels, 0.1–100 in a request, up to 1600 in a plan, where blurs that
    /// follow each other are one.
    case blur(sigma: PlainDecimal)
    /// Sharpens luma with a mask of this standard deviation in pixels, 0.1–10 in a request, up to 40 in a plan.
    case sharpen(sigma: PlainDecimal)
    /// Unsharp mask: radius 0.1–50 px, amount 0–10 (1 adds the whole difference), threshold 0–255 levels.
    case unsharp(radius: PlainDecimal, amount: PlainDecimal, threshold: PlainDecimal)
    /// The median of a square of 2n + 1 pixels, n 1–10 (up to 40 in a plan).
    case median(radius: Int)
    /// Squares of n pixels, 2–256 (up to 1024 in a plan), each of its mean.
    case pixelate(size: Int)
    /// Gaussian noise on luma, amount 0–100 (standard deviation in levels); the same seed gives the same noise.
    case noise(amount: PlainDecimal, seed: Int)
    /// Takes the color out (luminance, weighed in linear light), keeps alpha.
    case grayscale
    /// Brown tones, 0–100 %.
    case sepia(percent: PlainDecimal)
    /// Every color sample becomes 255 minus itself.
    case invert
    /// Luma at or above this level (0–255) is white, below it black.
    case threshold(level: Int)
    /// This many levels per sample, 2–64.
    case posterize(levels: Int)
    /// Luma painted in a color, 0–100 %.
    case tint(color: Color, percent: PlainDecimal)
    /// Luma from one color to another, 0–100 %.
    case duotone(dark: Color, light: Color, percent: PlainDecimal)
    /// −100 (black) … 0 (unchanged) … 100 (white).
    case brightness(PlainDecimal)
    /// −100 (flat grey) … 0 (unchanged) … 100 (strongest).
    case contrast(PlainDecimal)
    /// −100 (grey) … 0 (unchanged) … 100 (twice the color).
    case saturation(PlainDecimal)
    /// As saturation, but pale colors change more than strong ones. −100…100.
    case vibrance(PlainDecimal)
    /// Darkens (−) or lightens (+) the light parts, −100…100.
    case highlights(PlainDecimal)
    /// Darkens (−) or lightens (+) the dark parts, −100…100.
    case shadows(PlainDecimal)
    /// Colder (−) or warmer (+), −100…100.
    case temperature(PlainDecimal)
    /// Turns hues by degrees, −360…360.
    case hue(degrees: PlainDecimal)
    /// Every sample to the power of 1 ÷ x, 0.1–10; above 1 lightens.
    case gamma(PlainDecimal)
    /// Light times 2 to the power of EV, in linear light, −5…5.
    case exposure(ev: PlainDecimal)
    /// Stretches luma to the whole range.
    case normalize
    /// Spreads luma evenly over the range.
    case equalize
    /// Equalises within neighbourhoods, contrast-limited.
    case clahe
    /// Darkens towards the corners, 0–100 %.
    case vignette(percent: PlainDecimal)
    /// Edges as white lines on black.
    case edges
    /// Light from the top left.
    case emboss
    /// A named list of the others.
    case look(Look)

    /// The named looks. Each is a documented list of filters (`filters`).
    package enum Look: String, CaseIterable, Sendable {
        /// Strong black and white.
        case noir
        case vintage
        /// More of every color.
        case vivid
        case cool
        case warm
        case bleach
        /// Blue shadows, orange lights.
        case cinema
        /// Soft, bright.
        case dream
    }
}
