import Bytes
import ImageEngine
import ImagePlan

/// The media types of originals, told by their octets alone.
enum SourceMedia {
    /// The type of what begins with `head`, if pictures are made of it on this server; nil of anything else.
    static let readable: @Sendable (SharedBytes) -> String? = { head in ImageEngine.sniff(head).map(type) }

    /// The same of what this server could read if it were told to.
    static let announced: @Sendable (SharedBytes) -> String? = { head in ImageEngine.announcedFormat(head).map(type) }

    /// What names of files of this format end in.
    static func ending(_ format: SourceFormat) -> String { format == .jpeg ? "jpg" : format.rawValue }

    /// Its registered name (IANA).
    static func type(_ format: SourceFormat) -> String {
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
