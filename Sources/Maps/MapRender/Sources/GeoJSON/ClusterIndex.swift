import JSON
import MapStyle

final class ClusterIndex: Sendable {
    private struct Node {
        var place: SIMD2<Double>
        var level = Int.max
        var id: Int
        var count = 1
        var properties = -1
    }

    private struct Level {
        var nodes: [Node]
        var tree: PointTree

        init(_ nodes: [Node]) {
            self.nodes = nodes
            tree = PointTree(nodes.map { SIMD2<Float>($0.place) })
        }
    }

    private let options: ClusterOptions
    private let points: [GeoPoint]
    private let clusterProperties: [OrderedObject<Value>]
    /// The last one has the points alone.
    private let levels: [Level]

    /// `featureCount`: of the data; ids of clusters begin beyond. O(n log n) per level unless points lie closely together.
    init(
        _ points: [GeoPoint], of featureCount: Int, _ options: ClusterOptions, _ rules: ClusterRules,
        shouldStop: () -> Bool
    ) throws(GeoJSONError) {
        (self.options, self.points) = (options, points)
        var below = Level(
            points.enumerated().map { index, point in
                // Single precision as in the reference, so that clusters come out the same.
                Node(place: SIMD2<Double>(SIMD2<Float>(point.place)), id: index)
            })
        var levels = [below]
        var properties: [OrderedObject<Value>] = []
        for zoom in stride(from: options.maxZoom, through: 0, by: -1) {
            if shouldStop() { throw .cancelled }
            var merger = Merger(
                below: below, zoom: zoom, points: points, firstID: featureCount, options: options, rules: rules,
                properties: properties)
            below = Level(try merger.merge(shouldStop))
            properties = merger.properties
            levels.append(below)
        }
        self.levels = levels.reversed()
        clusterProperties = properties
    }

    var byteCount: Int {
        levels.reduce(256) { $0 + $1.nodes.count * 60 } + points.reduce(0) { $0 + $1.byteCount }
            + clusterProperties.reduce(0) { $0 + 32 + $1.members.count * 96 }
    }

    /// Counts points, clusters and their properties.
    func layer(_ tile: TileCoordinate, counting count: inout PropertyCount) throws(GeoJSONError) -> FeatureLayer? {
        let level = levels[max(0, min(tile.z, levels.count - 1))]
        let scale = Trigonometry.powerOfTwo(Double(tile.z))
        let reach = options.radius
        let (x, y) = (Double(tile.x), Double(tile.y))
        let (top, bottom) = ((y - reach) / scale, (y + 1 + reach) / scale)
        var layer = PointLayer()
        func add(_ least: Double, _ most: Double, column: Double) throws(GeoJSONError) {
            for index in level.tree.range(SIMD2(least, top), SIMD2(most, bottom)) {
                let origin = SIMD2(column, y)
                try append(level.nodes[index], origin: origin, scale: scale, counting: &count, to: &layer)
            }
        }
        try add((x - reach) / scale, (x + 1 + reach) / scale, column: x)
        if x == 0 { try add(1 - reach / scale, 1, column: scale) }
        if x == scale - 1 { try add(0, reach / scale, column: -1) }
        return layer.layer()
    }

    private func append(
        _ node: Node, origin: SIMD2<Double>, scale: Double, counting count: inout PropertyCount,
        to layer: inout PointLayer
    ) throws(GeoJSONError) {
        guard node.count > 1 else {
            let point = points[node.id]
            try count.add(1 + point.properties.members.count)
            layer.append(point.place * scale - origin, point.properties, id: point.id)
            return
        }
        var properties = node.properties < 0 ? OrderedObject<Value>() : clusterProperties[node.properties]
        properties["cluster"] = .boolean(true)
        properties["cluster_id"] = .number(Double(node.id))
        properties["point_count"] = .number(Double(node.count))
        properties["point_count_abbreviated"] = Self.abbreviated(node.count)
        try count.add(1 + properties.members.count)
        layer.append(node.place * scale - origin, properties, id: .number(Double(node.id)))
    }

    private static func abbreviated(_ count: Int) -> Value {
        if count >= 10000 { return .string("\((count + 500) / 1000)k") }
        guard count >= 1000 else { return .number(Double(count)) }
        let tenths = (count + 50) / 100
        return .string(tenths.isMultiple(of: 10) ? "\(tenths / 10)k" : "\(tenths / 10).\(tenths % 10)k")
    }
}

extension ClusterIndex {
    private struct Merger {
        var below: Level
        let zoom: Int
        let points: [GeoPoint]
        let firstID: Int
        let options: ClusterOptions
        let rules: ClusterRules
        var properties: [OrderedObject<Value>]
        var merged: [Node] = []

        mutating func merge(_ shouldStop: () -> Bool) throws(GeoJSONError) -> [Node] {
            let radius = options.radius / Trigonometry.powerOfTwo(Double(zoom))
            for index in below.nodes.indices where below.nodes[index].level > zoom {
                if index % 256 == 255, shouldStop() { throw .cancelled }
                below.nodes[index].level = zoom
                let node = below.nodes[index]
                let neighbours = below.tree.within(radius, of: node.place)
                let count = neighbours.reduce(node.count) {
                    below.nodes[$1].level > zoom ? $0 + below.nodes[$1].count : $0
                }
                if count > node.count, count >= options.minPoints {
                    appendCluster(index, neighbours, count: count)
                } else {
                    merged.append(node)
                    // None of the neighbours has more around it, so none makes a cluster either.
                    guard count > 1 else { continue }
                    for neighbour in neighbours where below.nodes[neighbour].level > zoom {
                        below.nodes[neighbour].level = zoom
                        merged.append(below.nodes[neighbour])
                    }
                }
            }
            return merged
        }

        private mutating func appendCluster(_ index: Int, _ neighbours: [Int], count: Int) {
            let node = below.nodes[index]
            var sum = node.place * Double(node.count)
            var accumulated: OrderedObject<Value>?
            for neighbour in neighbours where below.nodes[neighbour].level > zoom {
                below.nodes[neighbour].level = zoom
                let other = below.nodes[neighbour]
                sum += other.place * Double(other.count)
                if !rules.isEmpty { accumulated = rules.reduce(accumulated ?? mapped(node), mapped(other)) }
            }
            var cluster = Node(place: sum / Double(count), id: (index << 5) + (zoom + 1) + firstID, count: count)
            if let accumulated {
                cluster.properties = properties.count
                properties.append(accumulated)
            }
            merged.append(cluster)
        }

        private func mapped(_ node: Node) -> OrderedObject<Value> {
            node.count > 1 && node.properties >= 0
                ? properties[node.properties] : rules.map(points[min(node.id, points.count - 1)].properties)
        }
    }
}
