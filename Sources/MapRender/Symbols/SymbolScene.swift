import MapStyle

/// All symbols of a picture: laid out and placed, before any layer is painted, as they must keep clear of each other.
struct SymbolScene {
    /// The symbols of a layer.
    struct Layer {
        /// Tile by tile, in the order in which they are painted.
        var tiles: [SymbolTile]
        /// What is shown of the instances of each tile.
        var placements: [[InstancePlacement]]
    }

    /// The symbols of layers, by the layer's id.
    private(set) var layers: [String: Layer] = [:]

    /// The scene of a picture. Throws `cancelled`.
    init(_ frame: Frame) throws(MapError) {
        let drawn = frame.style.layers.filter { $0.kind == .symbol && $0.isDrawn(frame.layerContext()) }
        for layer in drawn {
            let tiles = try SymbolLayout.tiles(of: layer, frame)
            guard tiles.contains(where: { !$0.instances.isEmpty }) else { continue }
            layers[layer.id] = Layer(
                tiles: Self.paintOrder(tiles, bearing: frame.view.camera.bearing),
                placements: [])
        }
        var indexes: [String: CollisionIndex] = [:]
        for layer in drawn.reversed() {
            // Of layers that differ in paint alone the lowest is placed, and the others stand where it does.
            guard let tiles = layers[layer.id]?.tiles, first(like: layer, in: drawn) === layer else { continue }
            if frame.shouldStop() { throw .cancelled }
            let group = frame.crossSourceCollisions ? "" : layer.source ?? ""
            var index = indexes.removeValue(forKey: group) ?? CollisionIndex(frame.view)
            layers[layer.id]?.placements = try Self.place(layer, tiles, frame, &index)
            indexes[group] = index
        }
        for layer in drawn {
            guard let first = first(like: layer, in: drawn), first !== layer else { continue }
            let shared = layers[first.id]?.placements ?? []
            layers[layer.id]?.placements = shared
        }
    }

    private func first(like layer: StyleLayer, in drawn: [StyleLayer]) -> StyleLayer? {
        drawn.first { $0 === layer || $0.arrangement == layer.arrangement }
    }

    /// Places the symbols of a layer.
    private static func place(
        _ layer: StyleLayer, _ tiles: [SymbolTile], _ frame: Frame, _ index: inout CollisionIndex
    ) throws(MapError) -> [[InstancePlacement]] {
        var placements = tiles.map { Array(repeating: InstancePlacement(), count: $0.instances.count) }
        let order = placementOrder(tiles)
        let names = CrossTileIndex.names(of: tiles, order)
        var seen: Set<Int32> = []
        let placers = tiles.map { tile in
            let projection = frame.view.projection(of: tile.tile)
            return SymbolPlacer(
                tile, frame.view,
                textTranslation: LabelPlane.translation(
                    layer, .textTranslate, anchor: .textTranslateAnchor, frame, projection),
                iconTranslation: LabelPlane.translation(
                    layer, .iconTranslate, anchor: .iconTranslateAnchor, frame, projection))
        }
        var count = 0
        for run in runs(layer, tiles, order, bearing: frame.view.camera.bearing) {
            for instance in run.instances {
                count += 1
                if count % 256 == 0, frame.shouldStop() { throw .cancelled }
                if let names, !seen.insert(names[run.tile][instance]).inserted { continue }
                placements[run.tile][instance] = placers[run.tile].place(tiles[run.tile].instances[instance], &index)
            }
        }
        return placements
    }

    /// Instances of a tile that are placed one after the other.
    private struct Run {
        var tile: Int
        var sortKey: Double
        var instances: [Int]
    }

    /// The instances of all tiles in the order of placement: by tiles, or by sort keys across them.
    private static func runs(_ layer: StyleLayer, _ tiles: [SymbolTile], _ order: [Int], bearing: Double) -> [Run] {
        var runs: [Run] = []
        var isSorted = false
        for tile in order {
            let instances = tiles[tile].instances
            if tiles[tile].settings.zOrder == .viewportY {
                runs.append(Run(tile: tile, sortKey: 0, instances: orderByY(instances, bearing: bearing).reversed()))
            } else if layer.variesSortKey {
                isSorted = true
                for (index, instance) in instances.enumerated() {
                    if let last = runs.last, last.tile == tile, last.sortKey == instance.sortKey {
                        runs[runs.count - 1].instances.append(index)
                    } else {
                        runs.append(Run(tile: tile, sortKey: instance.sortKey, instances: [index]))
                    }
                }
            } else {
                runs.append(Run(tile: tile, sortKey: 0, instances: Array(instances.indices)))
            }
        }
        guard isSorted else { return runs }
        return runs.enumerated().sorted {
            ($0.element.sortKey, $0.offset) < ($1.element.sortKey, $1.offset)
        }.map(\.element)
    }

    /// Indexes of instances from the top of the picture downwards; of equal ones the last of the tile comes first.
    static func orderByY(_ instances: [SymbolInstance], bearing: Double) -> [Int] {
        let (sine, cosine) = Trigonometry.sineAndCosine(-Trigonometry.radians(bearing))
        let heights = instances.map { ($0.anchor.x * sine + $0.anchor.y * cosine).rounded() }
        return instances.indices.sorted { a, b in
            if heights[a] != heights[b] { return heights[a] < heights[b] }
            if instances[a].featureIndex != instances[b].featureIndex {
                return instances[a].featureIndex > instances[b].featureIndex
            }
            return a < b
        }
    }

    /// The order in which tiles are placed: the deepest first, then by column and row.
    private static func placementOrder(_ tiles: [SymbolTile]) -> [Int] {
        tiles.indices.sorted { a, b in
            let (left, right) = (tiles[a].tile, tiles[b].tile)
            if left.overscaledZ != right.overscaledZ { return left.overscaledZ > right.overscaledZ }
            return (left.wrap, left.id.x, left.id.y) < (right.wrap, right.id.x, right.id.y)
        }
    }

    /// Tiles from the top of the picture downwards.
    private static func paintOrder(_ tiles: [SymbolTile], bearing: Double) -> [SymbolTile] {
        let angle = -Trigonometry.radians(bearing)
        let places = tiles.map { ScreenPoint(x: Double($0.tile.id.x), y: Double($0.tile.id.y)).turned(by: angle) }
        return tiles.indices.sorted { a, b in
            if tiles[a].tile.overscaledZ != tiles[b].tile.overscaledZ {
                return tiles[a].tile.overscaledZ > tiles[b].tile.overscaledZ
            }
            return (places[a].y, places[a].x, a) < (places[b].y, places[b].x, b)
        }.map { tiles[$0] }
    }
}

extension StyleLayer {
    /// Whether features have sort keys of their own.
    var variesSortKey: Bool { gives(.symbolSortKey) && self[.symbolSortKey].constant == nil }
}
