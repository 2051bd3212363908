extension AssetURL {
    /// A filter of the finished image. Percentages are 0–100 and say how much of the effect is mixed in.
    public struct Filter: Hashable, Sendable {
        let text: String

        private init(_ name: String, _ arguments: Double...) {
            text = ([name] + arguments.map(\.parameterText)).joined(separator: ":")
        }

        private init(text: String) { self.text = text }

        /// A named list of filters.
        public enum Look: String, Sendable, CaseIterable {
            /// The names of docs/IMAGES.md.
            case noir, vintage, vivid, cool, warm, bleach, cinema, dream
        }

        /// Gaussian blur, a standard deviation of 0.1–100 CSS pixels.
        public static func blur(_ sigma: Double) -> Filter { Filter("blur", sigma) }
        /// Sharpens luma, 0.1–10 CSS pixels.
        public static func sharpen(_ sigma: Double = 1) -> Filter { Filter("sharpen", sigma) }
        /// Unsharp mask: radius 0.1–50 px, amount 0–10, threshold 0–255 levels.
        public static func unsharp(radius: Double, amount: Double = 1, threshold: Double = 0) -> Filter {
            Filter("unsharp", radius, amount, threshold)
        }
        /// The median of a square of 2n + 1 pixels, 1–10.
        public static func median(_ radius: Int) -> Filter { Filter("median", Double(radius)) }
        /// Squares of 2–256 pixels, each of its mean.
        public static func pixelate(_ size: Int) -> Filter { Filter("pixelate", Double(size)) }
        /// This blur or pixelate of a rectangle alone, in CSS pixels of the result; for faces and number plates.
        public func within(x: Double, y: Double, width: Double, height: Double) -> Filter {
            within([x, y, width, height].map(\.parameterText))
        }
        /// This blur or pixelate of a rectangle alone, in percent of the result's width and height, 0–100.
        public func within(xPercent: Double, yPercent: Double, widthPercent: Double, heightPercent: Double) -> Filter {
            within([xPercent, yPercent, widthPercent, heightPercent].map { $0.parameterText + "p" })
        }
        private func within(_ lengths: [String]) -> Filter { Filter(text: ([text] + lengths).joined(separator: ":")) }
        /// Gaussian noise on luma, 0–100; the same seed gives the same noise.
        public static func noise(_ amount: Double, seed: UInt32 = 0) -> Filter { Filter("noise", amount, Double(seed)) }
        /// Takes the color out.
        public static let grayscale = Filter("grayscale")
        /// Brown tones.
        public static func sepia(_ percent: Double = 100) -> Filter { Filter("sepia", percent) }
        /// Makes a negative.
        public static let invert = Filter("invert")
        /// White from this level on (0–255), black below.
        public static func threshold(_ level: Int = 128) -> Filter { Filter("threshold", Double(level)) }
        /// 2–64 levels per sample.
        public static func posterize(_ levels: Int) -> Filter { Filter("posterize", Double(levels)) }
        /// Luma painted in an opaque color.
        public static func tint(_ color: URLColor, _ percent: Double = 100) -> Filter {
            Filter(text: "tint:\(color.text):\(percent.parameterText)")
        }
        /// Luma from one opaque color to another.
        public static func duotone(_ dark: URLColor, _ light: URLColor, _ percent: Double = 100) -> Filter {
            Filter(text: "duotone:\(dark.text):\(light.text):\(percent.parameterText)")
        }
        /// −100…100.
        public static func brightness(_ amount: Double) -> Filter { Filter("brightness", amount) }
        /// −100…100.
        public static func contrast(_ amount: Double) -> Filter { Filter("contrast", amount) }
        /// −100 (grey) … 100.
        public static func saturation(_ amount: Double) -> Filter { Filter("saturation", amount) }
        /// As saturation, but pale colors change more, −100…100.
        public static func vibrance(_ amount: Double) -> Filter { Filter("vibrance", amount) }
        /// The light parts, −100…100.
        public static func highlights(_ amount: Double) -> Filter { Filter("highlights", amount) }
        /// The dark parts, −100…100.
        public static func shadows(_ amount: Double) -> Filter { Filter("shadows", amount) }
        /// Colder or warmer, −100…100.
        public static func temperature(_ amount: Double) -> Filter { Filter("temperature", amount) }
        /// Turns hues, −360…360 degrees.
        public static func hue(_ degrees: Double) -> Filter { Filter("hue", degrees) }
        /// Samples to the power of 1 ÷ x, 0.1–10.
        public static func gamma(_ x: Double) -> Filter { Filter("gamma", x) }
        /// −5…5 EV.
        public static func exposure(_ ev: Double) -> Filter { Filter("exposure", ev) }
        /// Stretches luma to the whole range.
        public static let normalize = Filter("normalize")
        /// Spreads luma evenly.
        public static let equalize = Filter("equalize")
        /// Equalises within neighbourhoods.
        public static let clahe = Filter("clahe")
        /// Darkens towards the corners.
        public static func vignette(_ percent: Double = 50) -> Filter { Filter("vignette", percent) }
        /// White lines on black.
        public static let edges = Filter("edges")
        /// Light from the top left.
        public static let emboss = Filter("emboss")
        /// A named list of filters.
        public static func look(_ look: Look) -> Filter { Filter(text: "look:\(look.rawValue)") }
    }
}
