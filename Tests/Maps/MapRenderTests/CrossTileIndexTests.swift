import MapStyle
import SeededRandom
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct CrossTileIndexTests {
    private func tile(_ tile: PlacedTile) throws -> SymbolTile {
        let text = """
            {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}},
             "layers": [{"id": "l", "type": "symbol", "source": "s"}]}
            """
        let style = try Style.read(Array(text.utf8))
        let settings = SymbolSettings(try #require(style.layers.first), EvaluationContext())
        return SymbolTile(tile: tile, settings: settings)
    }

    private func instance(x: Double, y: Double, key: Int32) -> SymbolInstance {
        SymbolInstance(
            anchor: SymbolPosition(x: x, y: y), key: key, featureIndex: 0, sortKey: 0, textBoxScale: 16,
            anchorOffsets: 0..<0)
    }

    private func cell(_ coordinate: Double) -> Double { (coordinate * 256 / 8192).rounded(.down) }

    private func isRelated(_ a: PlacedTile, _ b: PlacedTile) -> Bool {
        guard a.wrap == b.wrap, a.overscaledZ != b.overscaledZ else { return false }
        let (deep, shallow) = a.id.z >= b.id.z ? (a.id, b.id) : (b.id, a.id)
        let levels = deep.z - shallow.z
        return deep.x >> levels == shallow.x && deep.y >> levels == shallow.y
    }

    /// Compares each instance with each of the other tile, in their order.
    private func naiveNames(of tiles: [SymbolTile], _ order: [Int]) -> [[Int32]] {
        var names = tiles.map { Array(repeating: Int32(0), count: $0.instances.count) }
        var used: [Int: Set<Int32>] = [:]
        var last: Int32 = 0
        for (turn, index) in order.enumerated() {
            let tile = tiles[index]
            var taken = used[tile.tile.overscaledZ] ?? []
            for earlier in order[..<turn] where isRelated(tiles[earlier].tile, tile.tile) {
                let other = tiles[earlier]
                let levels = tile.tile.id.z - other.tile.id.z
                let tolerance = levels > 0 ? 1 : Double(1 << -levels)
                let scale = levels > 0 ? 256 / Double(1 << levels) : 256 * Double(1 << -levels)
                for (number, instance) in tile.instances.enumerated() where names[index][number] == 0 {
                    let left = (Double(tile.tile.id.x) + instance.anchor.x / 8192) * scale
                    let top = (Double(tile.tile.id.y) + instance.anchor.y / 8192) * scale
                    let x = (left - Double(other.tile.id.x) * 256).rounded(.down)
                    let y = (top - Double(other.tile.id.y) * 256).rounded(.down)
                    let found = other.instances.indices.first { candidate in
                        let there = other.instances[candidate]
                        guard other.keys[Int(there.key)] == tile.keys[Int(instance.key)] else { return false }
                        return abs(cell(there.anchor.x) - x) <= tolerance && abs(cell(there.anchor.y) - y) <= tolerance
                            && !taken.contains(names[earlier][candidate])
                    }
                    guard let found else { continue }
                    names[index][number] = names[earlier][found]
                    taken.insert(names[earlier][found])
                }
            }
            for number in names[index].indices where names[index][number] == 0 {
                last += 1
                names[index][number] = last
                taken.insert(last)
            }
            used[tile.tile.overscaledZ] = taken
        }
        return names
    }

    @Test func symbols_areTheSameAsOfANaiveComparison() throws {
        let places = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 0, 1), (4, 3, 3), (4, 2, 5)]
        var placed = places.map { PlacedTile(id: TileCoordinate(z: $0.0, x: $0.1, y: $0.2)) }
        placed.append(PlacedTile(id: TileCoordinate(z: 1, x: 0, y: 0), overscaledZ: 3))
        let empty = try placed.map { try tile($0) }
        var random = SeededGenerator(state: 11)
        var matches = 0
        for _ in 0..<60 {
            var tiles = empty
            // From all in one place to all apart, also beyond the sides of the tile.
            let spread = Double(1 << Int.random(in: 0...13, using: &random))
            let middle = Double.random(in: 0...8192, using: &random)
            for index in tiles.indices {
                tiles[index].keys = Bool.random(using: &random) ? ["", "Rome"] : ["Rome", ""]
                let scale = Double(1 << placed[index].id.z)
                for _ in 0..<Int.random(in: 0...120, using: &random) {
                    let x = middle + Double.random(in: -spread...spread, using: &random)
                    let y = middle + Double.random(in: -spread...spread, using: &random).rounded()
                    // Half of them at a place of the world, the others at one of the tile.
                    let isOfWorld = Bool.random(using: &random)
                    let left = isOfWorld ? x * scale - 8192 * Double(placed[index].id.x) : x
                    let top = isOfWorld ? y * scale - 8192 * Double(placed[index].id.y) : y
                    let key: Int32 = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
                    tiles[index].instances.append(instance(x: left, y: top, key: key))
                }
            }
            let order = Array(tiles.indices).shuffled(using: &random)
            let found = CrossTileIndex.names(of: tiles, order)
            let names = try #require(found)
            #expect(names == naiveNames(of: tiles, order))
            matches += names.joined().count - Set(names.joined()).count
        }
        #expect(matches > 300)
    }

    /// A comparison of all with all takes 10⁹ steps.
    @Test func iconsInOnePlace_areMatchedInTheirOrder() throws {
        var tiles = [
            try tile(PlacedTile(id: TileCoordinate(z: 6, x: 0, y: 0))),
            try tile(PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0))),
        ]
        let count = SymbolLayout.instanceLimit
        for index in tiles.indices {
            tiles[index].keys = [""]
            tiles[index].instances = Array(repeating: instance(x: 64, y: 64, key: 0), count: count)
        }
        // Within the cells of the tolerance, or not.
        for (place, isSame) in [(64.0, true), (8000, false)] {
            for number in 0..<count {
                tiles[0].instances[number].anchor = SymbolPosition(x: place * (isSame ? 64 : 1), y: 64 * 64)
            }
            let found = CrossTileIndex.names(of: tiles, [0, 1])
            let names = try #require(found)
            #expect(names[0] == Array(1...Int32(count)))
            #expect(names[1] == (isSame ? names[0] : Array((Int32(count) + 1)...(2 * Int32(count)))))
        }
    }
}
