import Raster
import Tiles

/// Builds the display list of a map: decoded tiles and a style in, commands out. Layer by layer over all tiles, so that no
/// tile's casing covers another's road and every bucket is one shape.
struct MapAssembler {
    /// A feature of a bucket and where to find it.
    private struct Member {
        var tile: Int32
        var layer: Int32
        var feature: Int32
    }

    /// A tile that was read, and its square.
    struct LoadedTile {
        var placed: PlacedTile
        var content: VectorTile
    }

    /// The commands so far. Labels and overlays are appended here.
    private(set) var list = DisplayList()
    /// Tiles in which a geometry was broken; the feature was left out.
    private(set) var faults: [CorruptTile] = []

    private let view: ViewTransform
    private let zoom: Double
    private let scale: Double
    private var members: [[Member]] = Array(repeating: [], count: FeatureBucket.allCases.count)
    private var writer = TileGeometryWriter()
    private var geometry = TileGeometry()

    /// An assembler for a viewport.
    init(_ viewport: Viewport, _ view: ViewTransform) {
        self.view = view
        zoom = viewport.zoom
        scale = viewport.scale
    }

    /// Adds everything that `layers` draws of `tiles`. Stops early, with a part of the map, when `shouldStop` says so: it is
    /// asked for each tile, each layer and each thousand features of a layer.
    mutating func add(_ tiles: [LoadedTile], layers: [StyleLayer], shouldStop: () -> Bool) {
        let shown = layers.filter { $0.zooms.contains(zoom) }
        sort(tiles, wanted: Set(shown.map(\.bucket)), shouldStop: shouldStop)
        var fills: [FeatureBucket: PartRange] = [:]
        var lines: [FeatureBucket: PartRange] = [:]
        for layer in shown {
            if shouldStop() { return }
            switch layer.paint {
            case .fill(let colour):
                let range =
                    fills[layer.bucket] ?? take(layer.bucket, tiles, asLines: false, margin: 0, shouldStop: shouldStop)
                fills[layer.bucket] = range
                list.fill(range, .nonZero, colour: colour)
            case .outline(let paint), .line(let paint):
                let reach = shown.filter { $0.bucket == layer.bucket }.map { $0.reach(zoom: zoom) }.max() ?? 0
                let range =
                    lines[layer.bucket]
                    ?? take(
                        layer.bucket, tiles, asLines: true, margin: ((reach + 2) * scale * 256).rounded(.up),
                        shouldStop: shouldStop)
                lines[layer.bucket] = range
                list.stroke(range, paint.stroke(zoom: zoom, scale: scale), colour: paint.colour)
            }
        }
    }

    /// Puts the features of all tiles into their buckets.
    private mutating func sort(_ tiles: [LoadedTile], wanted: Set<FeatureBucket>, shouldStop: () -> Bool) {
        let isWanted = FeatureBucket.allCases.map { wanted.contains($0) }
        for (tileIndex, tile) in tiles.enumerated() {
            if shouldStop() { return }
            for (layerIndex, layer) in tile.content.layers.enumerated() {
                guard var classifier = LayerClassifier(layer) else { continue }
                for (featureIndex, feature) in layer.features.enumerated() {
                    guard let bucket = classifier.bucket(of: feature), isWanted[Int(bucket.rawValue)] else { continue }
                    members[Int(bucket.rawValue)].append(
                        Member(tile: Int32(tileIndex), layer: Int32(layerIndex), feature: Int32(featureIndex)))
                }
            }
        }
    }

    /// Adds the geometry of a bucket to the display list.
    private mutating func take(
        _ bucket: FeatureBucket, _ tiles: [LoadedTile], asLines: Bool, margin: Double, shouldStop: () -> Bool
    ) -> PartRange {
        var present: (tile: Int32, layer: Int32) = (-1, -1)
        var isShown = false
        for (index, member) in members[Int(bucket.rawValue)].enumerated() {
            if index % 1024 == 1023, shouldStop() { break }
            let tile = tiles[Int(member.tile)]
            let layer = tile.content.layers[Int(member.layer)]
            if present != (member.tile, member.layer) {
                present = (member.tile, member.layer)
                isShown = writer.begin(
                    square: tile.placed.square, extent: layer.extent, canvas: view.canvas, margin: margin)
            }
            guard isShown else { continue }
            do throws(TileError) {
                try layer.geometry(of: layer.features[Int(member.feature)], into: &geometry)
            } catch {
                note(CorruptTile(id: tile.placed.id, error: error))
                continue
            }
            if asLines {
                writer.addLines(geometry, closed: bucket.isArea, to: &list)
            } else {
                writer.addPolygons(geometry, to: &list)
            }
        }
        return list.takeParts()
    }

    /// One fault a tile is enough to know.
    private mutating func note(_ fault: CorruptTile) {
        if !faults.contains(where: { $0.id == fault.id }) { faults.append(fault) }
    }
}
