package import Colors
package import Parameters

/// Lengths are in pixels of the result before `scale`, in a plan after it. Percentages, 0–100, mix in the effect.
package indirect enum ImageFilter: Hashable, Sendable, Codable {
    /// Gaussian blur; standard deviation in pixels, 0.1–100, in a plan up to 1600.
    case blur(sigma: PlainDecimal)
    /// Sharpens luma; standard deviation in pixels, 0.1–10, in a plan up to 40.
    case sharpen(sigma: PlainDecimal)
    /// Unsharp mask: radius 0.1–50 px, amount 0–10 (1 adds the whole difference), threshold 0–255 levels.
    case unsharp(radius: PlainDecimal, amount: PlainDecimal, threshold: PlainDecimal)
    /// The median of a square of 2n + 1 pixels, n 1–10 (up to 40 in a plan).
    case median(radius: Int)
    /// Squares of n pixels of their mean color, 2–256 (up to 1024 in a plan).
    case pixelate(size: Int)
    /// Gaussian noise on luma, amount 0–100 (standard deviation in levels); the same seed gives the same noise.
    case noise(amount: PlainDecimal, seed: Int)
    /// Luminance in linear light; keeps alpha.
    case grayscale
    case sepia(percent: PlainDecimal)
    case invert
    /// Luma at or above this level (0–255) is white, below it black.
    case threshold(level: Int)
    /// This many levels per sample, 2–64.
    case posterize(levels: Int)
    case tint(color: Color, percent: PlainDecimal)
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
    case temperature(PlainDecimal)
    case hue(degrees: PlainDecimal)
    /// The power 1 ÷ x of each sample, 0.1–10; above 1 lightens.
    case gamma(PlainDecimal)
    /// Linear light × 2^EV, −5…5.
    case exposure(ev: PlainDecimal)
    /// Stretches luma to the whole range.
    case normalize
    case equalize
    /// Equalises locally, contrast-limited.
    case clahe
    case vignette(percent: PlainDecimal)
    case edges
    /// Light from the top left.
    case emboss
    case look(Look)
    /// `blur` or `pixelate` of a rectangle alone.
    case within(FilterRegion, ImageFilter)

    package enum Look: String, CaseIterable, Sendable, Codable {
        case noir, vintage, vivid, cool, warm, bleach, cinema, dream
    }
}
