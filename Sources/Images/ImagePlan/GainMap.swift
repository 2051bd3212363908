import Bytes
import Parameters

// An Ultra HDR photograph (ISO 21496-1) is a JPEG for ordinary screens, and a smaller second JPEG behind it, the gain map: how much
// brighter each part is on screens that can show it.

package enum GainMapPolicy: String, CaseIterable, Sendable, Codable {
    /// Also decides for JPEG where the client leaves the format open, and for thumbnails.
    case keep
    case drop
}

/// The gain map of a source, as stored.
package struct GainMapHeader: Hashable, Sendable, Codable {
    package var size: PixelSize
    /// Whether red, green and blue have gains of their own. These hold for the colors of the source only.
    package var isColor: Bool
    /// As `ImageHeader.heldScanCount`.
    package var heldScanCount: Int

    package init(size: PixelSize, isColor: Bool = false, heldScanCount: Int = 0) {
        (self.size, self.isColor, self.heldScanCount) = (size, isColor, heldScanCount)
    }
}

/// What becomes of a gain map.
package enum GainMapChoice: Hashable, Sendable, Codable {
    /// It gets this size before it is turned.
    case keep(PixelSize)
    case omit(GainMapOmission)
}

package enum GainMapOmission: String, Hashable, Sendable, Codable, CaseIterable {
    /// `hdr=drop`.
    case request
    /// The result is no JPEG.
    case format
    /// A step changes more than size, part and direction.
    case painted
    case thumbnail
    /// It has gains for each color, and the colors are converted.
    case colors
    /// It would take more than a quarter of `bytes`.
    case bytes
    case unreadable
}

extension GainMapOmission {
    /// Up to this side a map is dropped unless the request names `hdr=keep`: a quarter of the bytes and more would be its own.
    package static let thumbnailSidePx = 256
    /// Of the sides of a result. A map as large as the image would take half as many bytes as the image.
    static let largestShare = 0.5
}

extension ImageRequest {
    /// The parameters with which no result has a gain map, whatever the source.
    var gainMapConflicts: [String] {
        var names: [String] = []
        if case .arbitrary = rotation { names.append("rotate") }
        if filters.contains(where: { !$0.changesNothing && !$0.keepsGainMap }) { names.append("filter") }
        if radius != nil { names.append("radius") }
        if mask != nil { names.append("mask") }
        let visible = overlays.filter { $0.opacity != 0 }
        if visible.contains(where: { $0.text == nil }) { names.append("overlay") }
        if visible.contains(where: { $0.text != nil }) { names.append("text") }
        if let format, format != .jpeg { names.append("format") }
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
        case .pad, .rotate, .overlay, .mask, .flatten: false
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
