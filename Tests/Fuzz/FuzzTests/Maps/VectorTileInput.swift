import Bytes

@testable import Tiles

// The first byte of an input chooses the limits; the rest is a tile.

/// What `scripts/fuzz mvt` runs: vector tiles and the geometries of their features.
enum VectorTileInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        var limits = VectorTileLimits()
        if input.next() & 1 != 0 {
            (limits.layerCount, limits.featureCount, limits.keyCount, limits.valueCount) = (2, 4, 3, 3)
        }
        let content = input.rest()
        guard let tile = try? VectorTile.decode(SharedBytes(content), limits: limits) else { return }
        try BrokenInvariant.require(tile.layers.count <= limits.layerCount, "\(tile.layers.count) layers")
        try BrokenInvariant.require(Set(tile.layers.map(\.name)).count == tile.layers.count, "a layer comes twice")
        let features = tile.layers.reduce(0) { $0 + $1.features.count }
        try BrokenInvariant.require(features <= limits.featureCount, "\(features) features")
        for layer in tile.layers { try check(layer, limits, byteCount: content.count) }
        try checkUnknownField(content, tile, limits)
    }

    private static func check(
        _ layer: VectorLayer, _ limits: VectorTileLimits, byteCount: Int
    ) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            layer.keys.count <= limits.keyCount && layer.values.count <= limits.valueCount, "tables of \(layer.name)")
        try BrokenInvariant.require((1...1 << 20).contains(layer.extent), "an extent of \(layer.extent)")
        for value in layer.values { _ = (value.text, value.number) }
        var geometry = TileGeometry()
        for feature in layer.features {
            let tags = layer.tags[Int(feature.firstTag)..<Int(feature.firstTag + feature.tagCount)]
            for (place, index) in tags.enumerated() {
                let count = place.isMultiple(of: 2) ? layer.keys.count : layer.values.count
                try BrokenInvariant.require(Int(index) < count, "tag \(index) of \(count)")
            }
            guard (try? layer.geometry(of: feature, into: &geometry)) != nil else {
                try BrokenInvariant.require(geometry.points.isEmpty && geometry.partEnds.isEmpty, "points of a fault")
                continue
            }
            try check(geometry, of: feature)
        }
    }

    private static func check(_ geometry: TileGeometry, of feature: VectorFeature) throws(BrokenInvariant) {
        // A line of version 1 may be closed by a byte alone.
        try BrokenInvariant.require(
            geometry.points.count <= Int(feature.geometryByteCount),
            "\(geometry.points.count) points of \(feature.geometryByteCount) bytes")
        var end = 0
        for index in 0..<geometry.partCount {
            let part = geometry.part(index)
            try BrokenInvariant.require(
                part.lowerBound == end && part.upperBound <= geometry.points.count, "part \(part)")
            try BrokenInvariant.require(feature.kind != .polygon || part.count >= 3, "a ring of \(part.count) points")
            end = part.upperBound
        }
        try BrokenInvariant.require(end == geometry.points.count, "points of no part")
    }

    /// A field that nobody knows changes nothing (Protocol Buffers).
    private static func checkUnknownField(
        _ content: [UInt8], _ tile: VectorTile, _ limits: VectorTileLimits
    ) throws(BrokenInvariant) {
        let more = SharedBytes(content + [0x7a, 2, 1, 2])
        let again = try? VectorTile.decode(more, limits: limits)
        try BrokenInvariant.require(
            again?.layers.map(\.name) == tile.layers.map(\.name)
                && again?.layers.map(\.tags) == tile.layers.map(\.tags)
                && again?.layers.map(\.features.count) == tile.layers.map(\.features.count)
                && again?.droppedLayerCount == tile.droppedLayerCount, "an unknown field changes the tile")
    }
}
