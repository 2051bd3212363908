package import Parameters

/// What an operator allows of sizes, so that one image does not have thousands of keys.
package struct SizeRules: Sendable, Equatable {
    /// Device pixels of a side, up to 8192; 0: what the formats hold.
    package var sideLimitPx = 0
    /// Allowed widths in device pixels, ascending; empty: all.
    package var widthsPx: [Int] = []
    /// Whether another width becomes the next larger one (or the largest), or is refused.
    package var roundsUp = true

    package init(sideLimitPx: Int = 0, widthsPx: [Int] = [], roundsUp: Bool = true) {
        self.sideLimitPx = sideLimitPx
        self.widthsPx = widthsPx
        self.roundsUp = roundsUp
    }
}

extension ImageRequest {
    /// Brings the box under `rules`: widths first, then the side. Lengths that were relative to the source are refused, as
    /// they would have any size.
    package mutating func apply(_ rules: SizeRules) throws(ParameterFaults) {
        guard rules != SizeRules(), !isDescription else { return }
        if dpi != nil { throw Self.refusal("dpi", "left out; use width or height") }
        for (name, length) in [("width", width), ("height", height)] {
            if case .percent(let percent)? = length {
                throw Self.refusal(name, "a whole number of pixels on this server", value: "\(percent)p")
            }
        }
        try apply(widths: rules)
        try apply(sideLimitPx: rules.sideLimitPx)
    }

    /// The width, or the height where there is no width, becomes one of the list. Everything else keeps its ratio to it,
    /// and `scale` becomes part of the lengths: one size has one text.
    private mutating func apply(widths rules: SizeRules) throws(ParameterFaults) {
        guard let largest = rules.widthsPx.last, let given = width?.pixels ?? height?.pixels else { return }
        let name = width == nil ? "height" : "width"
        guard let device = scale.multiplied(by: given) else { return }
        let size = rules.widthsPx.first { $0 >= device } ?? largest
        guard rules.roundsUp || size == device else {
            let list = ParameterReader.list(rules.widthsPx.map(String.init))
            throw Self.refusal(name, "\(list) pixels, with `scale`", value: "\(given)")
        }
        func resized(_ length: BoxLength) -> BoxLength {
            guard case .pixels(let count) = length else { return length }
            return .pixels(min(8192, max(1, (count * size + given / 2) / given)))
        }
        width = width.map(resized)
        height = height.map(resized)
        radius = radius.map(resized)
        filters = filters.map { $0.scaled(by: scale) }
        overlay = overlay?.scaled(by: scale)
        scale = 1
    }

    /// A side that is open gets the limit: such requests keep the ratio, and grow only if they ask to.
    private mutating func apply(sideLimitPx limit: Int) throws(ParameterFaults) {
        guard limit > 0 else { return }
        for (name, length) in [("width", width), ("height", height)] {
            guard let given = length?.pixels, scale.multiplied(by: given).map({ $0 > limit }) ?? true else { continue }
            throw Self.refusal(name, "at most \(limit) pixels with `scale` on this server", value: "\(given)")
        }
        guard width == nil || height == nil else { return }
        let open = BoxLength.pixels(max(1, limit * 1_000_000_000 / Int(scale.billionths)))
        (width, height) = (width ?? open, height ?? open)
    }

    private static func refusal(_ name: String, _ allowed: String, value: String = "") -> ParameterFaults {
        ParameterFaults([ParameterFault(parameter: name, value: value, reason: .outOfRange(allowed: allowed))])
    }
}

extension BoxLength {
    /// Nil for a percentage.
    fileprivate var pixels: Int? { if case .pixels(let count) = self { count } else { nil } }
}
