import MapStyle

/// Tells which instances of tiles of different levels, as stand-ins for neighbours, are the same symbol.
enum CrossTileIndex {
    /// Cells across a tile, for comparing places.
    private static let cells = 256.0

    private struct Known {
        var tile: PlacedTile
        /// In cells, by the key of the symbols.
        var places: [String: OrderedPlaces]
    }

    /// Numbers each tile's instances, the same symbol alike; nil when all tiles are of one level. `order`: of placement.
    static func names(of tiles: [SymbolTile], _ order: [Int]) -> [[Int32]]? {
        guard let level = order.first.map({ tiles[$0].tile.overscaledZ }),
            order.contains(where: { tiles[$0].tile.overscaledZ != level })
        else { return nil }
        var names = tiles.map { Array(repeating: Int32(0), count: $0.instances.count) }
        var known: [Known] = []
        var used: [Int: Set<Int32>] = [:]
        var last: Int32 = 0
        for index in order {
            let tile = tiles[index]
            for other in known where isRelated(other.tile, tile.tile) {
                match(tile, &names[index], with: other, &used[tile.tile.overscaledZ, default: []])
            }
            var places: [String: [OrderedPlaces.Place]] = [:]
            for (number, instance) in tile.instances.enumerated() {
                if names[index][number] == 0 {
                    last += 1
                    names[index][number] = last
                    used[tile.tile.overscaledZ, default: []].insert(last)
                }
                guard tile.keys.indices.contains(Int(instance.key)) else { continue }
                places[tile.keys[Int(instance.key)], default: []].append(
                    .init(x: cell(instance.anchor.x), y: cell(instance.anchor.y), name: names[index][number]))
            }
            known.append(Known(tile: tile.tile, places: places.mapValues { OrderedPlaces($0) }))
        }
        return names
    }

    private static func cell(_ coordinate: Double) -> Double {
        (coordinate * cells / Double(FeatureLayer.extent)).rounded(.down)
    }

    private static func isRelated(_ a: PlacedTile, _ b: PlacedTile) -> Bool {
        guard a.wrap == b.wrap, a.overscaledZ != b.overscaledZ else { return false }
        let (deep, shallow) = a.id.z >= b.id.z ? (a.id, b.id) : (b.id, a.id)
        let levels = deep.z - shallow.z
        return deep.x >> levels == shallow.x && deep.y >> levels == shallow.y
    }

    private static func match(_ tile: SymbolTile, _ names: inout [Int32], with other: Known, _ used: inout Set<Int32>) {
        let levels = Double(tile.tile.id.z - other.tile.id.z)
        let tolerance = levels > 0 ? 1 : Trigonometry.powerOfTwo(-levels)
        let scale = cells / Trigonometry.powerOfTwo(levels)
        let extent = Double(FeatureLayer.extent)
        var places = other.places
        for (number, instance) in tile.instances.enumerated() where names[number] == 0 {
            guard tile.keys.indices.contains(Int(instance.key)) else { continue }
            let key = tile.keys[Int(instance.key)]
            let x = (Double(tile.tile.id.x) + instance.anchor.x / extent) * scale - Double(other.tile.id.x) * cells
            let y = (Double(tile.tile.id.y) + instance.anchor.y / extent) * scale - Double(other.tile.id.y) * cells
            // A name that is used stays used, so its place is not looked at again.
            while let name = places[key]?.takeFirst(x: x.rounded(.down), y: y.rounded(.down), within: tolerance) {
                guard used.insert(name).inserted else { continue }
                names[number] = name
                break
            }
        }
    }
}
