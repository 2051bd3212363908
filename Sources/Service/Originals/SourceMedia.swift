package import Bytes
import ImageEngine
package import ImagePlan

/// The media types of originals, by their bytes alone.
package enum SourceMedia {
    /// nil of what this server makes no images of.
    package static let readable: @Sendable (SharedBytes) -> String? = { head in
        ImageEngine.sniff(head).map { type($0, packed: ImageEngine.isPacked(head)) }
    }

    /// The same of what this server could read if it were configured so.
    package static let announced: @Sendable (SharedBytes) -> String? = { head in
        ImageEngine.announcedFormat(head).map { type($0, packed: ImageEngine.isPacked(head)) }
    }

    /// The extension of files that begin with `head`, with its dot; empty where it is not known.
    package static func ending(_ head: SharedBytes) -> String {
        switch ImageEngine.announcedFormat(head) {
        case .jpeg: ".jpg"
        case .svg where ImageEngine.isPacked(head): ".svgz"
        case let format: format.map { "." + $0.rawValue } ?? ""
        }
    }

    /// How names of files of a format that is not always read end, without the dot.
    package static func endings(_ format: SourceFormat) -> [String] {
        format == .svg ? ["svg", "svgz"] : [format.rawValue]
    }

    /// A packed drawing is gzip (RFC 6713): no program takes its bytes for `image/svg+xml`.
    private static func type(_ format: SourceFormat, packed isPacked: Bool) -> String {
        isPacked ? "application/gzip" : type(format)
    }

    /// The name that is registered with IANA.
    private static func type(_ format: SourceFormat) -> String {
        switch format {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .avif: "image/avif"
        case .heic: "image/heic"
        case .tiff: "image/tiff"
        case .jxl: "image/jxl"
        case .pdf: "application/pdf"
        case .svg: "image/svg+xml"
        case .bmp: "image/bmp"
        case .ico: "image/vnd.microsoft.icon"
        }
    }
}
