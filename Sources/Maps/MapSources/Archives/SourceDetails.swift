package import Bytes
package import JSON
import Tiles

/// What the tiles of a source are files of.
package enum TileFormat: String, Sendable, CaseIterable {
    /// Mapbox vector tiles.
    case vector = "mvt"
    case png
    case jpeg
    case webp
    case avif
    case unknown = "bin"

    /// The ending of a tile's name.
    package var fileExtension: String { rawValue }

    package var mediaType: String {
        switch self {
        case .vector: "application/vnd.mapbox-vector-tile"
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        case .avif: "image/avif"
        case .unknown: "application/octet-stream"
        }
    }

    /// Whether the tiles are pictures.
    package var isPicture: Bool {
        switch self {
        case .png, .jpeg, .webp, .avif: true
        case .vector, .unknown: false
        }
    }
}

/// How a tile is compressed where it is kept.
package enum TileEncoding: String, Sendable {
    case identity
    /// By gzip (RFC 1952).
    case gzip
    /// By zlib (RFC 1950), which HTTP calls `deflate`.
    case deflate

    /// What `Content-Encoding` says of it (RFC 9110 §8.4.1); nil for nothing.
    package var contentEncoding: String? { self == .identity ? nil : rawValue }

    /// How a vector tile is compressed, as its first bytes tell.
    package init(of content: SharedBytes) {
        switch VectorTile.compression(of: content) {
        case .none: self = .identity
        case .gzip: self = .gzip
        case .zlib: self = .deflate
        }
    }
}

/// A tile as it is kept.
package struct StoredTile: Sendable {
    /// Its bytes.
    package let content: SharedBytes
    /// How these are compressed.
    package let encoding: TileEncoding

    /// A tile.
    package init(content: SharedBytes, encoding: TileEncoding) {
        self.content = content
        self.encoding = encoding
    }
}

/// What a source says of itself.
package struct SourceDetails: Equatable, Sendable {
    /// The view that a source suggests.
    package struct Centre: Equatable, Sendable {
        /// Degrees.
        package var longitude: Double
        /// Degrees.
        package var latitude: Double
        package var zoom: Int

        package init(longitude: Double, latitude: Double, zoom: Int) {
            self.longitude = longitude
            self.latitude = latitude
            self.zoom = zoom
        }
    }

    /// What the tiles are.
    package var format: TileFormat
    /// What people call it.
    package var title: String?
    /// A sentence on it.
    package var description: String?
    /// Who has to be named beside a picture of it, as text or HTML.
    package var attribution: String?
    /// The version of the data.
    package var version: String?
    /// West, south, east and north in degrees.
    package var bounds: [Double]?
    /// The levels there are.
    package var zooms: ClosedRange<Int>
    /// Where to look first.
    package var centre: Centre?
    /// The layers of vector tiles, as TileJSON describes them: an array of objects with `id` and `fields`.
    package var vectorLayers: [JSONValue]
    /// Pixels of a side, where the source says.
    package var tileSize: Int?

    /// What is said; nothing but the format and the levels must be.
    package init(
        format: TileFormat, zooms: ClosedRange<Int>, title: String? = nil, description: String? = nil,
        attribution: String? = nil, version: String? = nil, bounds: [Double]? = nil, centre: Centre? = nil,
        vectorLayers: [JSONValue] = [], tileSize: Int? = nil
    ) {
        self.format = format
        self.zooms = zooms
        self.title = title
        self.description = description
        self.attribution = attribution
        self.version = version
        self.bounds = bounds
        self.centre = centre
        self.vectorLayers = vectorLayers
        self.tileSize = tileSize
    }
}
