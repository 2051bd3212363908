import MapStyle

/// Makes the layer of one tile from features that were cut to it: simplified for its level and rounded to its grid.
struct GeoTileMaker {
    private let tile: TileCoordinate
    private let records: GeoRecords
    private let options: GeoJSONOptions
    private let tolerance: Double
    private let scale: Double

    private var keys: [String]
    private var values: [Value]
    private var tags: [UInt32] = []
    private var ids: [Value] = []
    private var features: [FeatureLayer.Feature] = []
    private var partEnds: [Int32] = []
    private var vertices: [TileVertex] = []

    init(_ tile: TileCoordinate, _ records: GeoRecords, _ options: GeoJSONOptions) {
        self.tile = tile
        self.records = records
        self.options = options
        scale = Trigonometry.powerOfTwo(Double(tile.z))
        // The last level stands for deeper ones too, so it keeps every vertex.
        tolerance = tile.z == options.maxZoom ? 0 : options.tolerance / scale
        keys = records.keys
        values = records.values
        if options.hasLineMetrics { keys += [FeatureLayer.clipStartKey, FeatureLayer.clipEndKey] }
    }

    /// The layer of `features`; nil when nothing of them is left.
    consuming func layer(_ features: [GeoFeature]) -> FeatureLayer? {
        for feature in features { append(feature) }
        guard !self.features.isEmpty else { return nil }
        return FeatureLayer(
            name: "", keys: keys, values: values, tags: tags, ids: ids, features: self.features, partEnds: partEnds,
            vertices: vertices)
    }

    private mutating func append(_ feature: GeoFeature) {
        let firstPart = partEnds.count
        let kind: FeatureKind
        switch feature.geometry {
        case .points(let points):
            kind = .point
            for point in points {
                vertices.append(place(point))
                partEnds.append(Int32(vertices.count))
            }
        case .lines(let lines):
            kind = .lineString
            for line in lines where tolerance == 0 || line.size >= tolerance { appendLine(line) }
        case .polygons(let polygons):
            kind = .polygon
            for polygon in polygons {
                for (index, ring) in polygon.enumerated() where tolerance == 0 || ring.size >= tolerance * tolerance {
                    appendRing(ring, isExterior: index == 0)
                }
            }
        }
        guard partEnds.count > firstPart else { return }
        let record = records.records[feature.record]
        let firstTag = tags.count
        tags += records.tags[record.firstTag..<record.firstTag + record.tagCount]
        if case .lines(let lines) = feature.geometry, options.hasLineMetrics, let line = lines.first {
            appendMetrics(line)
        }
        var id: Int32 = -1
        if let value = record.id {
            id = Int32(ids.count)
            ids.append(value)
        }
        features.append(
            FeatureLayer.Feature(
                kind: kind, id: id, firstTag: Int32(firstTag), tagCount: Int32(tags.count - firstTag),
                firstPart: Int32(firstPart), partCount: Int32(partEnds.count - firstPart)))
    }

    private mutating func appendMetrics(_ line: GeoLine) {
        for (key, along) in [(keys.count - 2, line.start), (keys.count - 1, line.end)] {
            tags.append(UInt32(key))
            tags.append(UInt32(values.count))
            values.append(.number(along / line.size))
        }
    }

    private mutating func appendLine(_ line: GeoLine) {
        appendSimplified(line)
        partEnds.append(Int32(vertices.count))
    }

    /// Rings do not repeat their first vertex here, unlike in GeoJSON.
    private mutating func appendRing(_ ring: GeoLine, isExterior: Bool) {
        let first = vertices.count
        appendSimplified(ring)
        if vertices.count - first > 1, vertices.last == vertices[first] { vertices.removeLast() }
        partEnds.append(Int32(vertices.count))
        orient(first..<vertices.count, isExterior: isExterior)
    }

    private mutating func appendSimplified(_ line: GeoLine) {
        let squaredTolerance = tolerance * tolerance
        for vertex in line.vertices where tolerance == 0 || vertex.weight > squaredTolerance {
            vertices.append(place(vertex))
        }
    }

    /// Turns a ring that runs the other way, but for its first vertex.
    private mutating func orient(_ range: Range<Int>, isExterior: Bool) {
        guard range.count > 2 else { return }
        let area = vertices[range].doubledArea(after: vertices[range].last)
        if isExterior ? area < 0 : area > 0 { vertices[range.dropFirst()].reverse() }
    }

    private func place(_ vertex: GeoVertex) -> TileVertex {
        TileVertex(sides: SIMD2(vertex.x * scale - Double(tile.x), vertex.y * scale - Double(tile.y)))
    }
}

extension FeatureLayer {
    /// The property of a part of a line that says where it begins, of 1 for the whole line, for sources with `lineMetrics`.
    ///
    /// Such features have one part each; a line whose length is 0 has not a number.
    static let clipStartKey = "mapbox_clip_start"
    /// The property of a part of a line that says where it ends, of 1 for the whole line.
    static let clipEndKey = "mapbox_clip_end"
}
