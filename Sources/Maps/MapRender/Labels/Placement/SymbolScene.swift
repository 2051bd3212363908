import MapStyle

/// All symbols of a picture, laid out and placed before any layer is painted, as they keep clear of each other.
struct SymbolScene {
    struct Layer {
        var tiles: [SymbolTile]
        var placements: [[InstancePlacement]]
    }

    private(set) var layers: [String: Layer] = [:]

    /// Symbols keep clear of `zones`, in CSS pixels of the picture. `cache`: see ``KeptSymbols``. Throws `cancelled`.
    init(
        _ frame: Frame, clearOf zones: [Box] = [], keptIn cache: SharedCache<SymbolKey, KeptSymbols>? = nil
    ) throws(MapError) {
        let drawn = frame.style.layers.filter { $0.kind == .symbol && $0.isDrawn(frame.layerContext()) }
        for layer in drawn {
            let tiles = try SymbolLayout.tiles(of: layer, frame, keptIn: cache)
            guard tiles.contains(where: { !$0.instances.isEmpty }) else { continue }
            layers[layer.id] = Layer(tiles: Self.paintOrder(tiles, bearing: frame.view.camera.bearing), placements: [])
        }
        // Of layers that differ in paint alone, the lowest is placed and the others follow it.
        let firsts = Dictionary(drawn.map { ($0.arrangementNumber, $0) }) { first, _ in first }
        let placed = drawn.reversed().filter { layers[$0.id] != nil && firsts[$0.arrangementNumber] === $0 }
        var around = SurroundingSymbols(frame.view)
        if let grid = frame.grid {
            try place(placed, on: grid, frame, &around)
        } else {
            try place(placed, frame, clearOf: zones, &around)
        }
        for layer in drawn {
            guard let first = firsts[layer.arrangementNumber], first !== layer else { continue }
            let shared = layers[first.id]?.placements ?? []
            layers[layer.id]?.placements = shared
        }
        for layer in drawn { noteMissingGlyphs(of: layer, frame) }
    }

    private func noteMissingGlyphs(of layer: StyleLayer, _ frame: Frame) {
        guard let layer = layers[layer.id] else { return }
        for (tile, placements) in zip(layer.tiles, layer.placements) where !tile.missing.isEmpty {
            for (index, placement) in placements.enumerated() where placement.showsText || placement.showsIcon {
                if let missing = tile.missing[index] { frame.missing.add(missing) }
            }
        }
    }

    /// Places layer by layer, clear of `zones`; symbols of tiles around others last, so that the others are placed as if alone.
    private mutating func place(
        _ placed: [StyleLayer], _ frame: Frame, clearOf zones: [Box], _ around: inout SurroundingSymbols
    ) throws(MapError) {
        var empty = CollisionIndex(frame.view, keepsInside: frame.keepsNamesInside)
        for zone in zones { empty.reserve(zone) }
        var shown: [String: CollisionIndex] = [:]
        let passes = passes(placed)
        for isAround in passes {
            var indexes = isAround ? shown : [:]
            for layer in placed {
                if frame.shouldStop() { throw .cancelled }
                let tiles = layers[layer.id]?.tiles ?? []
                let group = frame.crossSourceCollisions ? "" : layer.source ?? ""
                var index = indexes.removeValue(forKey: group) ?? empty
                var covered = passes.count > 1 && !isAround ? shown.removeValue(forKey: group) ?? empty : nil
                var placements = isAround ? layers[layer.id]?.placements ?? [] : Self.nothing(tiles)
                let placers = Self.placers(layer, tiles, frame)
                try Self.forEachInstance(of: layer, tiles, isAround: isAround, frame) { tile, instance in
                    if isAround, !around.hasRoom(instance, of: placers[tile]) { return }
                    let placer = placers[tile]
                    let decision = placer.decide(tiles[tile].instances[instance], index)
                    placer.cover(decision, &index)
                    guard around.isShown(instance, of: placer) else { return }
                    placements[tile][instance] = decision.placement
                    // Taken out and put back, so that nothing is copied.
                    if var index = covered.take() {
                        placer.cover(decision, &index)
                        covered = index
                    }
                }
                layers[layer.id]?.placements = placements
                indexes[group] = index
                if let covered { shown[group] = covered }
            }
        }
    }

    private func passes(_ placed: [StyleLayer]) -> [Bool] {
        let hasTilesAround = placed.contains { layers[$0.id]?.tiles.contains { $0.kept != nil } ?? false }
        return hasTilesAround ? [false, true] : [false]
    }

    private mutating func place(
        _ placed: [StyleLayer], on grid: PlacementGrid, _ frame: Frame, _ around: inout SurroundingSymbols
    ) throws(MapError) {
        for layer in placed {
            let nothing = Self.nothing(layers[layer.id]?.tiles ?? [])
            layers[layer.id]?.placements = nothing
        }
        let passes = passes(placed)
        // All that pictures on both sides of a line know the others may cover.
        var obstacles = CollisionIndex(frame.view)
        for isAround in passes {
            var groups: [String: SeamlessPlacement] = [:]
            var placersOfLayers: [[SymbolPlacer]] = []
            for (number, layer) in placed.enumerated() {
                let tiles = layers[layer.id]?.tiles ?? []
                let group = frame.crossSourceCollisions ? "" : layer.source ?? ""
                let known =
                    groups.removeValue(forKey: group)
                    ?? SeamlessPlacement(grid, frame.view, among: isAround ? obstacles : nil)
                guard var placement = known else { return }
                let placers = Self.placers(layer, tiles, frame)
                placersOfLayers.append(placers)
                let numbers = placers.map { placement.add($0) }
                try Self.forEachInstance(of: layer, tiles, isAround: isAround, frame) { tile, instance in
                    if isAround, !around.hasRoom(instance, of: placers[tile]) { return }
                    placement.add(.init(layer: number, tile: tile, instance: instance), numbers[tile])
                }
                groups[group] = placement
            }
            for placement in groups.values {
                try placement.decide(shouldStop: frame.shouldStop) { slot, decision in
                    guard around.isShown(slot.instance, of: placersOfLayers[slot.layer][slot.tile]) else { return }
                    layers[placed[slot.layer].id]?.placements[slot.tile][slot.instance] = decision
                }
                if passes.count > 1, !isAround {
                    placement.cover(&obstacles) { slot in
                        around.isShown(slot.instance, of: placersOfLayers[slot.layer][slot.tile])
                    }
                }
            }
        }
    }

    private static func nothing(_ tiles: [SymbolTile]) -> [[InstancePlacement]] {
        tiles.map { Array(repeating: InstancePlacement(), count: $0.instances.count) }
    }

    private static func placers(_ layer: StyleLayer, _ tiles: [SymbolTile], _ frame: Frame) -> [SymbolPlacer] {
        tiles.map { tile in
            let projection = frame.view.projection(of: tile.tile)
            return SymbolPlacer(
                tile, frame.view, textTranslation: LabelPlane.translation(of: .text, layer, frame, projection),
                iconTranslation: LabelPlane.translation(of: .icon, layer, frame, projection))
        }
    }

    /// Calls `body` in the order of placement; what several tiles hold comes once. `isAround` chooses the tiles around others.
    private static func forEachInstance(
        of layer: StyleLayer, _ tiles: [SymbolTile], isAround: Bool, _ frame: Frame,
        _ body: (_ tile: Int, _ instance: Int) -> Void
    ) throws(MapError) {
        let order = placementOrder(tiles).filter { (tiles[$0].kept != nil) == isAround }
        let names = CrossTileIndex.names(of: tiles, order)
        var seen: Set<Int32> = []
        var count = 0
        for run in runs(layer, tiles, order, bearing: frame.view.camera.bearing) {
            for instance in run.instances {
                count += 1
                if count % 256 == 0, frame.shouldStop() { throw .cancelled }
                if let names, !seen.insert(names[run.tile][instance]).inserted { continue }
                body(run.tile, instance)
            }
        }
    }

    private struct Run {
        var tile: Int
        var sortKey: Double
        var instances: [Int]
    }

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
        return isSorted ? runs.stablySorted(by: \.sortKey) : runs
    }

    /// From the top of the picture downwards; of equal ones the last of the tile comes first.
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

    private static func placementOrder(_ tiles: [SymbolTile]) -> [Int] {
        tiles.indices.sorted { a, b in
            let (left, right) = (tiles[a].tile, tiles[b].tile)
            if left.overscaledZ != right.overscaledZ { return left.overscaledZ > right.overscaledZ }
            return (left.wrap, left.id.x, left.id.y) < (right.wrap, right.id.x, right.id.y)
        }
    }

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
    var variesSortKey: Bool { gives(.symbolSortKey) && self[.symbolSortKey].constant == nil }
}
