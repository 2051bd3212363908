import Bytes
import Parameters

extension ImageRequest {
    /// The parameters with which no result has a gain map, whatever the source.
    var gainMapConflicts: [String] {
        var names: [String] = []
        if case .arbitrary = rotation { names.append("rotate") }
        if filters.contains(where: { !$0.changesNothing && !$0.keepsGainMap }) { names.append("filter") }
        if padding != nil { names.append("pad") }
        if radius != nil { names.append("radius") }
        if mask != nil { names.append("mask") }
        let visible = overlays.filter { $0.opacity != 0 }
        if visible.contains(where: { $0.text == nil }) { names.append("overlay") }
        if visible.contains(where: { $0.text != nil }) { names.append("text") }
        if let format, format != .jpeg { names.append("format") }
        if colorCount != nil { names.append("colors") }
        if isLossless { names.append("lossless") }
        return names
    }

    /// Whether JPEG is chosen for the sake of the gain map.
    func wantsGainMap(of source: ImageHeader, accepting: Acceptance) -> Bool {
        hdr == .keep && source.gainMap != nil && accepting.tiers.contains { $0.contains(.jpeg) }
    }

    /// For a result that has `size` before it is turned.
    func gainMapChoice(
        for source: ImageHeader, steps: [ImageStep], size: PixelSize, formats: [OutputFormat]
    ) -> GainMapChoice? {
        guard let map = source.gainMap else { return nil }
        if hdr == .drop { return .omit(.request) }
        guard formats.contains(.jpeg) else { return .omit(.format) }
        guard steps.allSatisfy(\.keepsGainMap) else { return .omit(.painted) }
        if hdr == nil, max(size.widthPx, size.heightPx) <= GainMapOmission.thumbnailSidePx { return .omit(.thumbnail) }
        func side(_ side: Int, _ mapSide: Int, of sourceSide: Int) -> Int {
            let share = min(GainMapOmission.largestShare, Double(mapSide) / Double(max(1, sourceSide)))
            return Int(held: (Double(side) * share).rounded(), in: 1...max(1, side))
        }
        return .keep(
            PixelSize(
                widthPx: side(size.widthPx, map.size.widthPx, of: source.widthPx),
                heightPx: side(size.heightPx, map.size.heightPx, of: source.heightPx)))
    }
}

extension ImageStep {
    fileprivate var keepsGainMap: Bool {
        switch self {
        case .extract, .resize, .crop, .orient: true
        case .filter(let filter): filter.keepsGainMap
        case .pad, .surround, .rotate, .overlay, .mask, .flatten: false
        }
    }
}

extension ImageFilter {
    /// Whether light stays where it was. What blurs the image hides something, which the map would show.
    fileprivate var keepsGainMap: Bool {
        switch self {
        case .sharpen, .unsharp: true
        default: false
        }
    }
}
