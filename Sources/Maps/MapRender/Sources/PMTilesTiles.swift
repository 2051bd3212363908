package import Bytes
package import MapStyle
package import Tiles

package struct PMTilesTiles: TileArchive {
    private let archive: PMTilesArchive

    package init(_ archive: PMTilesArchive) { self.archive = archive }
    package var validator: String { archive.validator }
    package var zooms: ClosedRange<Int> { archive.minZoom...max(archive.minZoom, archive.maxZoom) }
    package var bounds: [Double]? {
        [archive.bounds.west, archive.bounds.south, archive.bounds.east, archive.bounds.north]
    }

    package func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        guard let id = TileID(z: id.z, x: id.x, y: id.y) else { return nil }
        do throws(TileError) { return try archive.tile(id) } catch { throw .failed("\(id): \(error)") }
    }
}
