import JSON
import MapStyle

/// How many properties a GeoJSON source may have: far more than maps need.
struct GeoLimits {
    /// Of one feature.
    var ofFeature = 1 << 14
    /// Of all features.
    var ofSource = 8_000_000
    /// Of the points and clusters in the tiles of one map, each of which has its own copy; a point counts as one more.
    var inTiles = 4_000_000
}

struct PropertyCount {
    private let limit: Int
    private var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ more: Int) throws(GeoJSONError) {
        count += more
        guard count <= limit else { throw .tooManyProperties(limit: limit) }
    }
}

/// Counts what is read of a source. Throws when it is over its limits, and when nobody waits for it any more.
struct GeoBudget {
    private static let stepCount = 2048

    private let limits: GeoLimits
    private let shouldStop: () -> Bool
    private var total: PropertyCount
    private var steps = 0

    init(_ limits: GeoLimits = GeoLimits(), shouldStop: @escaping () -> Bool) {
        self.limits = limits
        self.shouldStop = shouldStop
        total = PropertyCount(limit: limits.ofSource)
    }

    /// For each feature, geometry, position and property.
    mutating func step(_ count: Int = 1) throws(GeoJSONError) {
        steps += count
        guard steps >= Self.stepCount else { return }
        steps = 0
        if shouldStop() { throw .cancelled }
    }

    mutating func properties(of feature: JSONValue) throws(GeoJSONError) -> OrderedObject<Value>? {
        guard let properties = feature["properties"]?.object else { return nil }
        let count = properties.members.count
        guard count <= limits.ofFeature else { throw .tooManyProperties(limit: limits.ofFeature) }
        try total.add(count)
        try step(count)
        return OrderedObject<Value>(properties)
    }
}
