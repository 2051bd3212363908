import MapTestKit
import SeededRandom
import Bytes
import Testing

@testable import Tiles

@Suite(.timeLimit(.minutes(5))) struct VectorTileTests {
    @Test func propertiesOfEveryKind_areRead() throws {
        var writer = TileWriter()
        writer.keys = ["s", "f", "d", "i", "u", "n", "b"]
        writer.values = [
            field(1, Array("Firenze".utf8)), [0x15] + littleEndian((1.5 as Float).bitPattern),
            [0x19] + littleEndian((-2.25).bitPattern), field(4, UInt64(bitPattern: -3)), field(5, UInt64.max),
            field(6, 7), field(7, 1),
        ]
        writer.features = [TileWriter.Feature(id: 42, tags: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])]
        let layer = try #require(try decoded(writer.tile()).layer(named: "layer"))
        let feature = try #require(layer.features.first)
        #expect(feature.id == 42 && feature.kind == .point && feature.propertyCount == 7)
        #expect(layer.value(of: feature, key: "s") == .string("Firenze"))
        #expect(layer.value(of: feature, key: "f") == .float(1.5))
        #expect(layer.value(of: feature, key: "d") == .double(-2.25))
        #expect(layer.value(of: feature, key: "i") == .int(-3))
        #expect(layer.value(of: feature, key: "u") == .uint(.max))
        #expect(layer.value(of: feature, key: "n") == .int(-4))
        #expect(layer.value(of: feature, key: "b") == .bool(true))
        #expect(layer.value(of: feature, key: "missing") == nil)
        #expect(layer.extent == 4096 && layer.version == 2 && layer.droppedFeatureCount == 0)
    }

    @Test func points_areOnePart() throws {
        let geometry = try drawn(1, [17, zigzag(5), zigzag(7), zigzag(-2), zigzag(-5)])
        #expect(geometry.points == [TilePoint(x: 5, y: 7), TilePoint(x: 3, y: 2)])
        #expect(geometry.partEnds == [2])
    }

    @Test func lines_areOnePartEach() throws {
        let geometry = try drawn(2, moveTo(2, 2) + lineTo((0, 8), (8, 0)) + moveTo(-9, -9) + lineTo((2, 4)))
        #expect(geometry.partEnds == [3, 5])
        #expect(geometry.points[3] == TilePoint(x: 1, y: 1))
        #expect(geometry.part(0) == 0..<3)
        #expect(geometry.part(1) == 3..<5)
    }

    @Test func rings_holdNoClosingPointAndDegenerateOnesVanish() throws {
        let geometry = try drawn(
            3,
            moveTo(0, 0) + lineTo((10, 0), (0, 10), (-10, -10)) + closePath + moveTo(5, 5) + lineTo((1, 1)) + closePath
                + moveTo(1, 1) + lineTo((2, 0), (0, 2)) + closePath)
        #expect(geometry.partEnds == [3, 6])
        #expect(geometry.points[3] == TilePoint(x: 7, y: 7))
    }

    @Test func coordinatesBeyond32Bits_areClamped() throws {
        let geometry = try drawn(2, moveTo(.max, .min) + lineTo((.max, .min), (.min, 0)))
        #expect(geometry.points[1] == TilePoint(x: .max, y: .min))
        #expect(geometry.points[2] == TilePoint(x: .max - 1, y: .min))
    }

    /// A geometry that breaks MVT 2.1 §4.3.
    struct BrokenGeometry: Sendable {
        let kind: UInt64
        let commands: [UInt32]

        init(_ kind: UInt64, _ commands: [UInt32]) {
            self.kind = kind
            self.commands = commands
        }

        static let all: [BrokenGeometry] = [
            BrokenGeometry(1, [15, 50, 34]), BrokenGeometry(1, [73]), BrokenGeometry(1, [9, 50]),
            BrokenGeometry(1, [0x1fff_fff9, 1, 1]), BrokenGeometry(1, [1]), BrokenGeometry(1, [10, 1, 1]),
            BrokenGeometry(2, [10, 1, 1]), BrokenGeometry(2, [17, 1, 1, 1, 1]),
            BrokenGeometry(2, moveTo(1, 1) + closePath), BrokenGeometry(2, moveTo(1, 1) + [2]),
            BrokenGeometry(3, moveTo(1, 1) + lineTo((1, 1), (2, 0))), BrokenGeometry(3, moveTo(1, 1) + [11]),
            BrokenGeometry(3, moveTo(1, 1) + lineTo((1, 1), (2, 0)) + [23]),
            BrokenGeometry(3, moveTo(1, 1) + lineTo((1, 1), (2, 0)) + [7]), BrokenGeometry(3, closePath),
        ]
    }

    @Test(arguments: BrokenGeometry.all)
    func brokenGeometry_isRefusedAndLeavesTheBufferEmpty(broken: BrokenGeometry) throws {
        var writer = TileWriter()
        writer.features = [TileWriter.Feature(kind: broken.kind, geometry: broken.commands)]
        let layer = try #require(try decoded(writer.tile()).layers.first)
        let feature = try #require(layer.features.first)
        var geometry = TileGeometry()
        geometry.points = [TilePoint(x: 1, y: 1)]
        #expect(throws: TileError.self) { try layer.geometry(of: feature, into: &geometry) }
        #expect(geometry.points.isEmpty && geometry.partEnds.isEmpty)
    }

    @Test func closedLineOfVersion1_returnsToItsStart() throws {
        let geometry = try drawn(2, moveTo(1, 1) + lineTo((1, 0), (0, 1)) + closePath, version: 1)
        #expect(geometry.points.last == TilePoint(x: 1, y: 1))
    }

    @Test func featuresThatBreakTheFormatAlone_areLeftOutAndCounted() throws {
        var writer = TileWriter()
        writer.keys = ["k"]
        writer.values = [field(7, 1)]
        writer.features = [
            TileWriter.Feature(geometry: nil), TileWriter.Feature(tags: [0]), TileWriter.Feature(id: 3, tags: [0, 0]),
            TileWriter.Feature(geometry: []),
        ]
        let layer = try #require(try decoded(writer.tile()).layers.first)
        #expect(layer.features.map(\.id) == [3])
        #expect(layer.droppedFeatureCount == 3)
        let kept = try #require(layer.features.first)
        #expect(layer.value(of: kept, key: "k") == .bool(true))
    }

    @Test func faultsOfALayer_areNamed() {
        func fault(_ change: (inout TileWriter) -> Void) -> TileError.TileFault? {
            var writer = TileWriter()
            change(&writer)
            do throws(TileError) {
                _ = try decoded(writer.tile())
                return nil
            } catch {
                if case .malformedTile(let fault, _) = error { return fault }
                return nil
            }
        }
        #expect(fault { $0.version = nil } == .layerVersion)
        #expect(fault { $0.version = 3 } == .layerVersion)
        #expect(fault { $0.name = nil } == .layerName)
        #expect(fault { $0.name = "" } == .layerName)
        #expect(fault { $0.extent = 0 } == .extent)
        #expect(fault { $0.extent = .max } == .extent)
        #expect(fault { $0.values = [[]] } == .value)
        #expect(fault { $0.values = [field(4, [1])] } == .wireType)
        #expect(fault { $0.features = [TileWriter.Feature(tags: [0, 0])] } == .tagIndex)
        #expect(fault { $0.features = [TileWriter.Feature(tags: [.max, .max])] } == .tagIndex)
    }

    @Test func faultsOfTheEncoding_areNamedWithTheirPlace() {
        #expect(throws: TileError.malformedTile(.truncated, offset: 1)) { _ = try decoded([0x1a, 5, 0]) }
        #expect(throws: TileError.malformedTile(.truncated, offset: 0)) { _ = try decoded([0x80]) }
        #expect(throws: TileError.malformedTile(.varint, offset: 0)) {
            _ = try decoded([UInt8](repeating: 0xff, count: 11))
        }
        #expect(throws: TileError.malformedTile(.wireType, offset: 0)) { _ = try decoded([0x18, 1]) }
        #expect(throws: TileError.malformedTile(.wireType, offset: 1)) { _ = try decoded([0x0b, 0x0c]) }
    }

    @Test func secondLayerOfTheSameName_isLeftOut() throws {
        let tile = try decoded(TileWriter(extent: 512).tile() + TileWriter().tile() + TileWriter(name: "b").tile())
        #expect(tile.layers.map(\.name) == ["layer", "b"])
        #expect(tile.layers.first?.extent == 512)
        #expect(tile.droppedLayerCount == 1)
    }

    @Test func limits_boundWhatATileMayHold() {
        var limits = VectorTileLimits()
        limits.featureCount = 1
        var writer = TileWriter()
        writer.features = [TileWriter.Feature(), TileWriter.Feature()]
        #expect(throws: TileError.self) { _ = try VectorTile.decode(SharedBytes(writer.tile()), limits: limits) }
        limits = VectorTileLimits()
        limits.layerCount = 1
        let two = TileWriter().tile() + TileWriter(name: "b").tile()
        #expect(throws: TileError.self) { _ = try VectorTile.decode(SharedBytes(two), limits: limits) }
    }

    @Test func mutatedTiles_neverTrap() throws {
        var writer = TileWriter()
        writer.keys = ["kind", "name"]
        writer.values = [field(1, Array("road".utf8)), field(4, 12), [0x15] + littleEndian((1.5 as Float).bitPattern)]
        writer.features = [
            TileWriter.Feature(id: 1, tags: [0, 0, 1, 1]),
            TileWriter.Feature(tags: [0, 2], kind: 2, geometry: moveTo(2, 2) + lineTo((0, 8), (8, 0))),
            TileWriter.Feature(kind: 3, geometry: moveTo(0, 0) + lineTo((10, 0), (0, 10)) + closePath),
        ]
        exerciseMutations(of: writer.tile(), rounds: 4000, seed: 1)
    }

    private func decoded(_ bytes: [UInt8]) throws(TileError) -> VectorTile { try VectorTile.decode(SharedBytes(bytes)) }

    private func drawn(_ kind: UInt64, _ commands: [UInt32], version: UInt64 = 2) throws -> TileGeometry {
        var writer = TileWriter(version: version)
        writer.features = [TileWriter.Feature(kind: kind, geometry: commands)]
        let layer = try #require(try decoded(writer.tile()).layers.first)
        var geometry = TileGeometry()
        try layer.geometry(of: try #require(layer.features.first), into: &geometry)
        return geometry
    }
}

extension SeededGenerator {
    /// `bytes` with a few bytes changed, cut out or doubled.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !result.isEmpty {
            let place = Int.random(in: 0..<result.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: result[place] = UInt8.random(in: .min ... .max, using: &self)
            case 1: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: result.removeSubrange(place...)
            case 3: result.insert(0xff, at: place)
            default: result.remove(at: place)
            }
        }
        return result
    }
}

/// Decodes mutated tiles as far as they go; every outcome but a trap is right.
func exerciseMutations(of bytes: [UInt8], rounds: Int, seed: UInt64) {
    var numbers = SeededGenerator(state: seed)
    var geometry = TileGeometry()
    for _ in 0..<rounds {
        guard let tile = try? VectorTile.decode(SharedBytes(numbers.mutate(bytes))) else { continue }
        exercise(tile, &geometry)
    }
}

/// Touches everything that a decoded tile gives out.
func exercise(_ tile: VectorTile, _ geometry: inout TileGeometry) {
    for layer in tile.layers {
        for feature in layer.features {
            for index in layer.keys.indices { _ = layer.value(of: feature, keyIndex: index) }
            try? layer.geometry(of: feature, into: &geometry)
            for part in 0..<geometry.partCount { _ = geometry.points[geometry.part(part)].count }
        }
    }
}

extension VectorLayer {
    /// The property called `key`, or nil when the feature lacks it.
    fileprivate func value(of feature: VectorFeature, key: String) -> TileValue? {
        keyIndex(key).flatMap { value(of: feature, keyIndex: $0) }
    }
}
