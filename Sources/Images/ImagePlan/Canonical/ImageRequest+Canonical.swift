import Colors
import Parameters

extension ImageRequest {
    /// The one text of this image: full names, fixed order, no defaults, shortest numbers. Parsing it gives the request
    /// again. Keys, entity tags and signatures use it; it does not include a negotiated format.
    package var canonical: String {
        var query = CanonicalQuery()
        query.append("id", id)
        appendGeometry(to: &query)
        appendPaint(to: &query)
        appendEncoding(to: &query)
        if let fallbackID { query.append("default", fallbackID) }
        if let downloadName { query.append("download", downloadName) }
        if isExplained { query.append("explain", "1") }
        return query.text
    }

    private func appendGeometry(to query: inout CanonicalQuery) {
        if let width { query.append("width", width.canonical) }
        if let height { query.append("height", height.canonical) }
        if scale != 1 { query.append("scale", scale.description) }
        if fit != .inside { query.append("fit", fit.rawValue) }
        if mayEnlarge { query.append("enlarge", "1") }
        if let dpi { query.append("dpi", dpi.description) }
        if let trim { query.append("trim", trim.description) }
        if let crop { query.append("crop", crop.canonical(where: gravity)) }
        if gravity != .center { query.append("gravity", gravity.canonical) }
        switch rotation {
        case .upright(quarterTurns: 0): break
        case .upright(let quarterTurns): query.append("rotate", "\(90 * quarterTurns)")
        case .arbitrary(let degrees, let isStraightened):
            query.append("rotate", "\(degrees)" + (isStraightened ? ",straighten" : ""))
        case .asStored: query.append("rotate", "none")
        }
        if let flip { query.append("flip", flip.rawValue) }
        if let padding { query.append("pad", padding.canonical) }
    }

    private func appendPaint(to query: inout CanonicalQuery) {
        if !filters.isEmpty { query.append("filter", filters.map(\.canonical).joined(separator: ",")) }
        if isBackgroundBlurred { query.append("background", "blur") }
        if background != .transparent { query.append("background", background.canonical) }
        if let radius { query.append("radius", radius.canonical) }
        if let mask { query.append("mask", mask.rawValue) }
        for overlay in overlays { query.append(overlay.item.name, overlay.item.value) }
    }

    private func appendEncoding(to query: inout CanonicalQuery) {
        if let page { query.append("page", page.description) }
        if hasAllPages { query.append("pages", "all") }
        if let format { query.append("format", format.rawValue) }
        if isDescription { query.append("format", "json") }
        if let quality { query.append("quality", quality.canonical) }
        if let byteLimit { query.append("bytes", ByteLimitText.canonical(byteLimit)) }
        if let colorCount { query.append("colors", colorCount.description) }
        if isLossless { query.append("lossless", "1") }
        if isProgressive { query.append("progressive", "1") }
        if let effort { query.append("effort", effort.description) }
        if metadata != .none { query.append("metadata", metadata.rawValue) }
        if profile != .srgb { query.append("profile", profile.rawValue) }
        if let hdr { query.append("hdr", hdr.rawValue) }
    }
}

extension ImageRequest: Equatable {
    /// As ASCII: `String` would equate composed and decomposed letters of ids, which name different files.
    package static func == (left: ImageRequest, right: ImageRequest) -> Bool { left.canonical == right.canonical }
}

extension BoxLength {
    var canonical: String {
        switch self {
        case .pixels(let count): count.description
        case .percent(let percent): "\(percent)p"
        }
    }
}

extension CropRegion {
    /// The text of `crop` next to this `gravity`, which a region without a gravity of its own takes.
    func canonical(where gravity: Gravity) -> String {
        switch self {
        case .pixels(let rect): return "\(rect.x),\(rect.y),\(rect.widthPx),\(rect.heightPx)"
        case .fractions(let x, let y, let width, let height):
            return [x, y, width, height].map(Self.withPoint).joined(separator: ",")
        case .size(let size, let own):
            return "\(size.widthPx)x\(size.heightPx)" + (own == gravity ? "" : ",\(own.canonical)")
        case .ratio(let width, let height, let own):
            let ratio = width == height ? "square" : "\(width):\(height)"
            return ratio + (own == gravity ? "" : ",\(own.canonical)")
        }
    }

    /// A point tells fractions from pixels, so `1` is written `1.0`.
    private static func withPoint(_ number: PlainDecimal) -> String {
        number.isWhole ? "\(number).0" : number.description
    }
}

extension ImageFilter {
    /// The text that `parseList` reads back: with colons, without defaults at the end.
    package var canonical: String {
        switch self {
        case .blur(let sigma): Self.text(.blur, "\(sigma)")
        case .sharpen(let sigma): Self.text(.sharpen, "\(sigma)", defaults: ["1"])
        case .unsharp(let radius, let amount, let threshold):
            Self.text(.unsharp, "\(radius)", "\(amount)", "\(threshold)", defaults: [nil, "1", "0"])
        case .median(let radius): Self.text(.median, "\(radius)")
        case .pixelate(let size): Self.text(.pixelate, "\(size)")
        case .noise(let amount, let seed): Self.text(.noise, "\(amount)", "\(seed)", defaults: [nil, "0"])
        case .grayscale: Self.text(.grayscale)
        case .sepia(let percent): Self.text(.sepia, "\(percent)", defaults: ["100"])
        case .invert: Self.text(.invert)
        case .threshold(let level): Self.text(.threshold, "\(level)", defaults: ["128"])
        case .posterize(let levels): Self.text(.posterize, "\(levels)")
        case .tint(let color, let percent): Self.text(.tint, color.canonical, "\(percent)", defaults: [nil, "100"])
        case .duotone(let dark, let light, let percent):
            Self.text(.duotone, dark.canonical, light.canonical, "\(percent)", defaults: [nil, nil, "100"])
        case .brightness(let amount): Self.text(.brightness, "\(amount)")
        case .contrast(let amount): Self.text(.contrast, "\(amount)")
        case .saturation(let amount): Self.text(.saturation, "\(amount)")
        case .vibrance(let amount): Self.text(.vibrance, "\(amount)")
        case .highlights(let amount): Self.text(.highlights, "\(amount)")
        case .shadows(let amount): Self.text(.shadows, "\(amount)")
        case .temperature(let amount): Self.text(.temperature, "\(amount)")
        case .hue(let degrees): Self.text(.hue, "\(degrees)")
        case .gamma(let exponent): Self.text(.gamma, "\(exponent)")
        case .exposure(let ev): Self.text(.exposure, "\(ev)")
        case .normalize: Self.text(.normalize)
        case .equalize: Self.text(.equalize)
        case .clahe: Self.text(.clahe)
        case .vignette(let percent): Self.text(.vignette, "\(percent)", defaults: ["50"])
        case .edges: Self.text(.edges)
        case .emboss: Self.text(.emboss)
        case .look(let look): Self.text(.look, look.rawValue)
        case .within(let region, let filter):
            ([filter.canonical] + region.lengths.map(\.canonical)).joined(separator: ":")
        }
    }

    /// The name and the arguments, without trailing ones that equal their default.
    private static func text(_ form: FilterForm, _ arguments: String..., defaults: [String?] = []) -> String {
        var parts = arguments
        while let last = parts.last, parts.count <= defaults.count, last == defaults[parts.count - 1] {
            parts.removeLast()
        }
        return ([form.rawValue] + parts).joined(separator: ":")
    }
}
