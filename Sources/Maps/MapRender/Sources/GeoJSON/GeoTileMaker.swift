import MapStyle

/// Makes the layer of one tile from features cut to it: simplified for its level, rounded to its grid.
struct GeoTileMaker {
    private let tile: TileCoordinate
    private let records: GeoRecords
    private let options: GeoJSONOptions
    private let tolerance: Double
    private let scale: Double

    private var built = FeatureLayerBuilder()

    init(_ tile: TileCoordinate, _ records: GeoRecords, _ options: GeoJSONOptions) {
        (self.tile, self.records, self.options) = (tile, records, options)
        scale = Trigonometry.powerOfTwo(Double(tile.z))
        // The last level stands for deeper ones too, so it keeps every vertex.
        tolerance = tile.z == options.maxZoom ? 0 : options.tolerance / scale
        if options.hasLineMetrics { built.clips = [:] }
    }

    consuming func layer(_ features: [GeoFeature]) -> FeatureLayer? {
        for feature in features { append(feature) }
        return built.features.isEmpty ? nil : built.layer(sharing: records)
    }

    private mutating func append(_ feature: GeoFeature) {
        let firstPart = built.partEnds.count
        let kind: FeatureKind
        switch feature.geometry {
        case .points(let points):
            kind = .point
            for point in points {
                built.vertices.append(place(point))
                built.partEnds.append(Int32(built.vertices.count))
            }
        case .lines(let lines):
            kind = .lineString
            for line in lines where tolerance == 0 || line.size >= tolerance {
                appendSimplified(line)
                built.partEnds.append(Int32(built.vertices.count))
            }
        case .polygons(let polygons):
            kind = .polygon
            for polygon in polygons {
                for (index, ring) in polygon.enumerated() where tolerance == 0 || ring.size >= tolerance * tolerance {
                    appendRing(ring, isExterior: index == 0)
                }
            }
        }
        guard built.partEnds.count > firstPart else { return }
        let record = records.records[feature.record]
        var clip: LineClip?
        if case .lines(let lines) = feature.geometry, options.hasLineMetrics, let line = lines.first {
            clip = LineClip(start: line.start / line.size, end: line.end / line.size)
        }
        built.add(kind, id: record.id, tags: record.tags, firstPart: firstPart, clip: clip)
    }

    /// Unlike in GeoJSON, rings do not repeat their first vertex.
    private mutating func appendRing(_ ring: GeoLine, isExterior: Bool) {
        let first = built.vertices.count
        appendSimplified(ring)
        if built.vertices.count - first > 1, built.vertices.last == built.vertices[first] {
            built.vertices.removeLast()
        }
        built.partEnds.append(Int32(built.vertices.count))
        orient(first..<built.vertices.count, isExterior: isExterior)
    }

    private mutating func appendSimplified(_ line: GeoLine) {
        let squaredTolerance = tolerance * tolerance
        for vertex in line.vertices where tolerance == 0 || vertex.weight > squaredTolerance {
            built.vertices.append(place(vertex))
        }
    }

    private mutating func orient(_ range: Range<Int>, isExterior: Bool) {
        guard range.count > 2 else { return }
        let area = built.vertices[range].doubledArea(after: built.vertices[range].last)
        if isExterior ? area < 0 : area > 0 { built.vertices[range.dropFirst()].reverse() }
    }

    private func place(_ vertex: GeoVertex) -> TileVertex {
        TileVertex(sides: SIMD2(vertex.x * scale - Double(tile.x), vertex.y * scale - Double(tile.y)))
    }
}
