import Parameters

extension ImageRequest {
    /// The one text of this picture: full names, fixed order, no defaults, numbers in shortest form. Parsing it gives the
    /// request again. It is what is keyed, tagged and signed; a negotiated format is not part of it.
    package var canonical: String {
        var query = CanonicalQuery()
        query.append("id", id)
        if let width { query.append("width", width.canonical) }
        if let height { query.append("height", height.canonical) }
        if scale != 1 { query.append("scale", scale.description) }
        if fit != .inside { query.append("fit", fit.rawValue) }
        if mayEnlarge { query.append("enlarge", "1") }
        if let crop { query.append("crop", crop.canonical(where: gravity)) }
        if gravity != .center { query.append("gravity", gravity.rawValue) }
        switch rotation {
        case .upright(quarterTurns: 0): break
        case .upright(let quarterTurns): query.append("rotate", "\(90 * quarterTurns)")
        case .asStored: query.append("rotate", "none")
        }
        if let flip { query.append("flip", flip.rawValue) }
        if !filters.isEmpty { query.append("filter", filters.map(\.canonical).joined(separator: ",")) }
        if background != .transparent { query.append("background", background.canonical) }
        if let format { query.append("format", format.rawValue) }
        if let quality { query.append("quality", quality.description) }
        return query.text
    }
}

extension ImageRequest: Equatable {
    /// Compares canonical texts, which are ASCII: ids are compared octet by octet, where `String` would hold composed
    /// and decomposed letters for equal, which name different files.
    package static func == (left: ImageRequest, right: ImageRequest) -> Bool {
        left.canonical == right.canonical
    }
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
    /// The text of `crop` beside this `gravity` parameter, from which a region without a gravity takes its own.
    func canonical(where gravity: Gravity) -> String {
        switch self {
        case .pixels(let rect): return "\(rect.x),\(rect.y),\(rect.widthPx),\(rect.heightPx)"
        case .fractions(let x, let y, let width, let height):
            return [x, y, width, height].map(Self.withPoint).joined(separator: ",")
        case .size(let size, let own):
            return "\(size.widthPx)x\(size.heightPx)" + (own == gravity ? "" : ",\(own.rawValue)")
        case .ratio(let width, let height, let own):
            let ratio = width == height ? "square" : "\(width):\(height)"
            return ratio + (own == gravity ? "" : ",\(own.rawValue)")
        }
    }

    /// Fractions are told from pixels by their point, so `1` is written `1.0`.
    private static func withPoint(_ number: PlainDecimal) -> String {
        number.isWhole ? "\(number).0" : number.description
    }
}
