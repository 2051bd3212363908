package import Bytes
package import JSON
package import MapRender
package import MapStyle
import Tiles

/// An archive that gives its tiles decompressed or as stored, and describes itself.
package protocol SourceArchive: TileArchive {
    /// Makes sure that details and tiles can be read. For an archive on another server the first call waits, and throws
    /// if the archive is out of reach; it polls `shouldStop` meanwhile.
    func open(shouldStop: () -> Bool) throws(ResourceError)
    func details() throws(ResourceError) -> SourceDetails
    /// The same; an archive on another server polls `shouldStop` while it waits, and throws `cancelled`.
    func details(shouldStop: () -> Bool) throws(ResourceError) -> SourceDetails
    /// A tile as it is stored; nil when there is none. Polls `shouldStop` likewise.
    func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile?
}

extension SourceArchive {
    package func open(shouldStop: () -> Bool) throws(ResourceError) {}
    package func open() throws(ResourceError) { try open(shouldStop: { false }) }

    /// For an archive on this machine.
    package func details(shouldStop: () -> Bool) throws(ResourceError) -> SourceDetails { try details() }

    package func storedTile(_ id: TileCoordinate) throws(ResourceError) -> StoredTile? {
        try storedTile(id, shouldStop: { false })
    }
}

extension TileCoordinate {
    var text: String { "\(z)/\(x)/\(y)" }
}

package struct StoredTile: Sendable {
    package let content: SharedBytes
    package let encoding: TileEncoding
}

package enum TileFormat: String, Sendable, CaseIterable {
    case vector = "mvt"
    case png, jpeg, webp, avif
    case unknown = "bin"

    package var fileExtension: String { rawValue }

    package var mediaType: String {
        switch self {
        case .vector: "application/vnd.mapbox-vector-tile"
        case .png, .jpeg, .webp, .avif: "image/\(rawValue)"
        case .unknown: "application/octet-stream"
        }
    }

    package var isPicture: Bool { self != .vector && self != .unknown }
}

package enum TileEncoding: String, Sendable {
    case identity
    case gzip
    /// zlib (RFC 1950), which HTTP calls `deflate`.
    case deflate

    /// The compression of a vector tile, by its first bytes.
    package init(of content: SharedBytes) {
        switch VectorTile.compression(of: content) {
        case .none: self = .identity
        case .gzip: self = .gzip
        case .zlib: self = .deflate
        }
    }
}

/// How a source describes itself.
package struct SourceDetails: Equatable, Sendable {
    /// The view that a source suggests, in degrees.
    package struct Centre: Equatable, Sendable {
        package var longitude: Double
        package var latitude: Double
        package var zoom: Int
    }

    package var format: TileFormat
    package var zooms: ClosedRange<Int>
    package var title: String?
    package var description: String?
    /// Text or HTML.
    package var attribution: String?
    package var version: String?
    /// West, south, east and north in degrees.
    package var bounds: [Double]?
    package var centre: Centre?
    /// The layers of vector tiles as in TileJSON: objects with `id` and `fields`.
    package var vectorLayers: [JSONValue] = []
    /// Pixels of a side, if the source says.
    package var tileSize: Int?
}
