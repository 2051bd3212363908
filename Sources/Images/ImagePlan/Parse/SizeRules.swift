package import Parameters

/// What an operator allows of sizes, so that one image does not have thousands of keys.
package struct SizeRules: Hashable, Sendable, Codable {
    /// Device pixels of a side, up to 8192; 0: what the formats hold.
    package var sideLimitPx = 0
    /// Allowed widths and heights in device pixels, ascending; empty: all.
    package var widthsPx: [Int] = []
    /// Whether another length becomes the next larger one (or the largest), or is refused.
    package var roundsUp = true

    package init(sideLimitPx: Int = 0, widthsPx: [Int] = [], roundsUp: Bool = true) {
        self.sideLimitPx = sideLimitPx
        self.widthsPx = widthsPx
        // Without a list there is no other length to refuse.
        self.roundsUp = roundsUp || widthsPx.isEmpty
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

    /// The width, or the height where there is no width, becomes one of the list. All other lengths grow with it, `scale`
    /// becomes part of them, and a height beside the width then becomes one of the list, too: one size has one text, and
    /// there are no more sizes than pairs in the list.
    private mutating func apply(widths rules: SizeRules) throws(ParameterFaults) {
        guard !rules.widthsPx.isEmpty, let given = width?.pixels ?? height?.pixels,
            let wanted = scale.multiplied(by: given)
        else { return }
        let size = try Self.listed(wanted, as: width == nil ? "height" : "width", rules)
        let growth = PlainDecimal(billionths: Int64(size) * 1_000_000_000 / Int64(given))
        if width != nil, let other = height?.pixels {
            let grown = (other * size + given / 2) / given
            height = .pixels(try Self.listed(grown, as: "height", rules))
        }
        if width == nil { height = .pixels(size) } else { width = .pixels(size) }
        if let corner = radius?.pixels { radius = .pixels(max(1, growth.multiplied(by: corner) ?? corner)) }
        padding = padding?.scaled(by: growth)
        filters = filters.map { $0.scaled(by: growth) }
        overlays = overlays.map { $0.scaled(by: growth) }
        scale = 1
        // Lengths of filters and overlays have limits: an image beyond them could not be asked for by its own text.
        self = try Self.parse(QueryItems.parse(canonical))
    }

    /// The length of the list for `length`.
    private static func listed(_ length: Int, as name: String, _ rules: SizeRules) throws(ParameterFaults) -> Int {
        let size = rules.widthsPx.first { $0 >= length } ?? rules.widthsPx.last ?? length
        guard rules.roundsUp || size == length else {
            let list = ParameterReader.list(rules.widthsPx.map(String.init))
            throw refusal(name, "\(list) pixels, with `scale`", value: "\(length)")
        }
        return size
    }

    /// A side that is open gets the limit: such requests keep the ratio, and grow only if they ask to.
    private mutating func apply(sideLimitPx limit: Int) throws(ParameterFaults) {
        guard limit > 0 else { return }
        for (name, length) in [("width", width), ("height", height)] {
            guard let given = length?.pixels, scale.multiplied(by: given).map({ $0 > limit }) ?? true else { continue }
            throw Self.refusal(name, "at most \(limit) pixels with `scale` on this server", value: "\(given)")
        }
        // How far it goes beyond the box depends on the source.
        if fit == .outside {
            let allowed = Fit.allCases.filter { $0 != .outside }.map(\.rawValue)
            throw Self.refusal("fit", "\(ParameterReader.list(allowed)) on this server", value: fit.rawValue)
        }
        guard width == nil || height == nil else { return }
        let open = BoxLength.pixels(min(max(1, limit * 1_000_000_000 / Int(scale.billionths)), 8192))
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
