import Parameters

extension ImageFilter {
    /// The most filters of a request.
    static let countLimit = 16

    private static let planned: Set<Substring> = [
        "unsharp", "median", "pixelate", "noise", "sepia", "invert", "threshold", "posterize", "tint", "duotone",
        "saturation", "vibrance", "highlights", "shadows", "temperature", "hue", "gamma", "exposure", "normalize",
        "equalize", "clahe", "vignette", "edges", "emboss", "look",
    ]

    private static let allowed =
        "at most 16 of grayscale, blur:sigma, sharpen, sharpen:sigma, brightness:amount or contrast:amount, "
        + "separated by commas"

    /// Reads `name[:argument]`, separated by commas.
    static func parseList(_ text: String) throws(ParameterFault.Reason) -> [ImageFilter] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= countLimit else { throw .outOfRange(allowed: allowed) }
        var filters: [ImageFilter] = []
        for part in parts { filters.append(try parse(part)) }
        return filters
    }

    private static func parse(_ text: Substring) throws(ParameterFault.Reason) -> ImageFilter {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first else { throw .malformed(allowed: allowed) }
        let argument = parts.count == 2 ? parts[1] : nil
        switch (name, argument) {
        case ("grayscale", nil): return .grayscale
        case ("blur", let sigma?): return .blur(sigma: try number(sigma, 0.1...100, of: "blur"))
        case ("sharpen", nil): return .sharpen(sigma: 1)
        case ("sharpen", let sigma?): return .sharpen(sigma: try number(sigma, 0.1...10, of: "sharpen"))
        case ("brightness", let amount?): return .brightness(try number(amount, -100...100, of: "brightness"))
        case ("contrast", let amount?): return .contrast(try number(amount, -100...100, of: "contrast"))
        default: throw planned.contains(name) ? .notSupportedYet(allowed: allowed) : .malformed(allowed: allowed)
        }
    }

    private static func number(
        _ text: Substring, _ range: ClosedRange<PlainDecimal>, of name: String
    ) throws(ParameterFault.Reason) -> PlainDecimal {
        let allowed = "a list in which \(name) has an argument from \(range.lowerBound) to \(range.upperBound)"
        return try PlainNumber.decimal(text, in: range, allowed: allowed)
    }

    /// The text that `parseList` reads back as this filter.
    var canonical: String {
        switch self {
        case .grayscale: "grayscale"
        case .blur(let sigma): "blur:\(sigma)"
        case .sharpen(sigma: 1): "sharpen"
        case .sharpen(let sigma): "sharpen:\(sigma)"
        case .brightness(let amount): "brightness:\(amount)"
        case .contrast(let amount): "contrast:\(amount)"
        }
    }

    /// Whether the filter has an argument in pixels, which the request's scale multiplies.
    var hasLength: Bool {
        switch self {
        case .blur, .sharpen: true
        case .grayscale, .brightness, .contrast: false
        }
    }

    /// Whether the filter leaves every picture as it is.
    var changesNothing: Bool {
        switch self {
        case .brightness(let amount), .contrast(let amount): amount == 0
        case .grayscale, .blur, .sharpen: false
        }
    }

    /// The filter with its lengths multiplied by `scale`.
    func scaled(by scale: PlainDecimal) -> ImageFilter {
        switch self {
        case .blur(let sigma): .blur(sigma: sigma.multiplied(by: scale) ?? sigma)
        case .sharpen(let sigma): .sharpen(sigma: sigma.multiplied(by: scale) ?? sigma)
        case .grayscale, .brightness, .contrast: self
        }
    }

    /// The filters that have to be carried out: without those that change nothing, and with blurs that follow each other
    /// as the one that they amount to.
    static func inOrder(_ filters: [ImageFilter]) -> [ImageFilter] {
        var result: [ImageFilter] = []
        var variance = 0.0
        for filter in filters where !filter.changesNothing {
            guard case .blur(let sigma) = filter else {
                result.append(filter)
                continue
            }
            if case .blur? = result.last {
                variance += sigma.double * sigma.double
                result[result.count - 1] = .blur(sigma: PlainDecimal(billionths: billionths(variance.squareRoot())))
            } else {
                variance = sigma.double * sigma.double
                result.append(filter)
            }
        }
        return result
    }

    private static func billionths(_ number: Double) -> Int64 {
        Int64(exactly: (number * 1e9).rounded()) ?? Int64.max
    }
}
