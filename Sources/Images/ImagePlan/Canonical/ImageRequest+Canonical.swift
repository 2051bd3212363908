import Colors
import Parameters

extension ImageRequest {
    /// The one text of this picture: full names, fixed order, no defaults, numbers in shortest form. Parsing it gives the
    /// request again. It is what is keyed, tagged and signed; a negotiated format is not part of it.
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
    }

    private func appendPaint(to query: inout CanonicalQuery) {
        if !filters.isEmpty { query.append("filter", filters.map(\.canonical).joined(separator: ",")) }
        if background != .transparent { query.append("background", background.canonical) }
        if let radius { query.append("radius", radius.canonical) }
        if let mask { query.append("mask", mask.rawValue) }
        if let overlay { query.append("overlay", overlay.canonical) }
    }

    private func appendEncoding(to query: inout CanonicalQuery) {
        if let page { query.append("page", page.description) }
        if hasAllPages { query.append("pages", "all") }
        if let format { query.append("format", format.rawValue) }
        if isDescription { query.append("format", "json") }
        if let quality { query.append("quality", quality.canonical) }
        if let byteLimit { query.append("bytes", ByteLimitText.canonical(byteLimit)) }
        if isLossless { query.append("lossless", "1") }
        if isProgressive { query.append("progressive", "1") }
        if let effort { query.append("effort", effort.description) }
        if metadata != .none { query.append("metadata", metadata.rawValue) }
        if profile != .srgb { query.append("profile", profile.rawValue) }
    }
}

extension ImageRequest: Equatable {
    /// Compares canonical texts, which are ASCII: ids are compared byte by byte, where `String` would hold composed
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
            return "\(size.widthPx)x\(size.heightPx)" + (own == gravity ? "" : ",\(own.canonical)")
        case .ratio(let width, let height, let own):
            let ratio = width == height ? "square" : "\(width):\(height)"
            return ratio + (own == gravity ? "" : ",\(own.canonical)")
        }
    }

    /// Fractions are told from pixels by their point, so `1` is written `1.0`.
    private static func withPoint(_ number: PlainDecimal) -> String {
        number.isWhole ? "\(number).0" : number.description
    }
}
