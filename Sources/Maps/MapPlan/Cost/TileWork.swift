package import MapGrammar
package import MapRender

/// How many tiles a map takes, on average over all positions of the grid, and what they cost.
package struct TileWork: Equatable, Sendable {
    package private(set) var count = 0.0
    private(set) var vectorCount = 0.0
    private(set) var nanoseconds = 0.0
    package private(set) var bytes = 0.0

    /// The most tiles of one map.
    package static var limit: Int { MapCost.mapTileLimit }

    /// Whether no map may have as many.
    package var hasTooMany: Bool { count > Double(MapCost.mapTileLimit) }

    /// `world`: the number of tiles of the built-in world.
    init(_ camera: Camera, _ tiles: [KnownTiles], world: Double) {
        let vector = tiles.filter { $0.kind == .vector }.map { source in
            let isUsual = source.lastLevel <= MapCost.lastUsualLevel
            return MapRequest.tileCount(camera, lastLevel: isUsual ? MapCost.lastTileLevel : source.lastLevel)
        }
        // Without any there may be features all the same.
        vectorCount = (vector.isEmpty ? [MapRequest.tileCount(camera)] : vector).reduce(0, +) + world
        count = vectorCount
        for source in tiles where source.kind != .vector { add(source, camera) }
        nanoseconds += vectorCount * MapCost.tile
        bytes += vectorCount * MapCost.tileBytes
    }

    private mutating func add(_ source: KnownTiles, _ camera: Camera) {
        let found = MapRequest.tileCount(camera, lastLevel: source.lastLevel, pictureSize: source.tileSize)
        let side = min(MapCost.pictureSide, source.tileSize * (source.isSharp && camera.pixelRatio > 1 ? 2 : 1))
        let isHeights = source.kind == .heights
        let pixels = side * side
        count += found
        nanoseconds +=
            found * (MapCost.pictureTile + pixels * (isHeights ? MapCost.heightPixel : MapCost.picturePixel))
        bytes += found * pixels * (isHeights ? MapCost.heightPixelBytes : MapCost.picturePixelBytes)
    }
}

extension MapRequest {
    /// The tiles of a map from `camera` whose sources have `tiles`. `includesWorld` adds those of the built-in world.
    package static func tileWork(
        from camera: Camera, _ tiles: [KnownTiles], includesWorld: Bool = false
    ) -> TileWork {
        TileWork(camera, tiles, world: includesWorld ? tileCount(camera, lastLevel: MapCost.lastWorldLevel) : 0)
    }
}
