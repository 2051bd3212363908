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
