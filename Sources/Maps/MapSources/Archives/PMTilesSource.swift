package import Bytes
import JSON
package import MapRender
package import MapStyle
package import Tiles

/// The tiles of a PMTiles archive, with its metadata.
package struct PMTilesSource: SourceArchive {
    let archive: PMTilesArchive
    private let tiles: PMTilesTiles
    private let known: SourceDetails

    /// Reads the metadata; unreadable metadata counts as none.
    package init(_ archive: PMTilesArchive) {
        self.archive = archive
        tiles = PMTilesTiles(archive)
        known = SourceDetails(archive.index, metadata: (try? archive.readMetadata()) ?? "")
    }

    package var validator: String { tiles.validator }
    package var zooms: ClosedRange<Int> { tiles.zooms }
    package var bounds: [Double]? { known.bounds }
    package var attribution: String? { known.attribution }
    package func details() -> SourceDetails { known }
    package func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { try tiles.tile(id) }

    package func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile? {
        guard let place = TileID(z: id.z, x: id.x, y: id.y) else { return nil }
        let content = try Result { () throws(TileError) in try archive.storedTile(place) }
            .mapError { ResourceError.failed("\(place): \($0.words)") }.get()
        return content.map { StoredTile(content: $0, encoding: archive.storesGzip ? .gzip : .identity) }
    }
}

extension SourceDetails {
    /// Unreadable metadata counts as none.
    init(_ index: PMTilesIndex, metadata text: String) {
        let metadata = (try? JSONReader.read(text)) ?? .null
        let (bounds, centre) = (index.bounds, index.centre)
        self.init(
            format: TileFormat(index.tileType), zooms: index.minZoom...index.maxZoom,
            title: metadata["name"]?.text, description: metadata["description"]?.text,
            attribution: metadata["attribution"]?.text.flatMap { $0.isEmpty ? nil : $0 },
            version: metadata["version"]?.text,
            // Writers that do not know the bounds leave zeros. A west greater than the east crosses the date line.
            bounds: bounds.west != bounds.east && bounds.south < bounds.north
                ? [bounds.west, bounds.south, bounds.east, bounds.north] : nil,
            centre: Centre(longitude: centre.longitude, latitude: centre.latitude, zoom: centre.zoom),
            vectorLayers: metadata["vector_layers"]?.elements ?? [])
    }
}

extension TileFormat {
    init(_ type: PMTilesArchive.TileType) {
        self =
            switch type {
            case .unknown: .unknown
            case .vector: .vector
            case .png: .png
            case .jpeg: .jpeg
            case .webp: .webp
            case .avif: .avif
            }
    }
}
