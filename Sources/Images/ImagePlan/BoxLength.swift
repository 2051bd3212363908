package import Parameters

/// A length of the box in pixels, or relative to the (cropped, turned) source.
package enum BoxLength: Hashable, Sendable, Codable {
    /// Pixels, 1–8192, before `scale`.
    case pixels(Int)
    /// Percent of the source's side, 0.01–1000, before `scale`.
    case percent(PlainDecimal)
}
