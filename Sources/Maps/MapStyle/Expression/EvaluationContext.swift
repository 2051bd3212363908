package import JSON

/// The kind of a feature's geometry; a multi-geometry counts as its part.
package enum FeatureKind: String, Sendable {
    case point = "Point"
    case lineString = "LineString"
    case polygon = "Polygon"
}

/// A property's name with its index in ``PropertyKeys/names``, so that a source of features can look up its own index
/// of each name once per layer of a tile, in a table by ``slot``.
package struct PropertyKey: Hashable, Sendable {
    package let name: String
    package let slot: Int
}

/// The property names in the expressions of a style.
package final class PropertyKeys {
    package private(set) var names: [String] = []
    private var slots: [String: Int] = [:]

    package init() {}

    /// Gives a new name a slot.
    package func key(_ name: String) -> PropertyKey {
        if let slot = slots[name] { return PropertyKey(name: name, slot: slot) }
        slots[name] = names.count
        names.append(name)
        return PropertyKey(name: name, slot: names.count - 1)
    }
}

/// A point of a tile, in 8192ths of its side from the top left; may lie outside.
package struct TilePoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

package protocol StyleFeature: AnyObject {
    /// nil if unknown.
    var kind: FeatureKind? { get }
    /// A number, a string or `null`.
    var id: Value { get }
    var properties: OrderedObject<Value> { get }
    /// The points, lines or rings, for `within` and `distance`.
    var geometry: [[TilePoint]] { get }
    func property(_ key: PropertyKey) -> Value?
    /// For names that were unknown when the style was compiled.
    func property(named name: String) -> Value?
}

package struct TileCoordinate: Hashable, Sendable {
    package var z: Int
    package var x: Int
    package var y: Int

    package init(z: Int, x: Int, y: Int) {
        self.z = z
        self.x = x
        self.y = y
    }
}

/// What an expression is evaluated against. Each thread has its own and sets its fields for each feature.
package final class EvaluationContext {
    package var zoom = 0.0
    package var feature: (any StyleFeature)?
    package var featureState = OrderedObject<Value>()
    package var globalState = OrderedObject<Value>()
    package var heatmapDensity = 0.0
    package var lineProgress = 0.0
    /// Metres.
    package var elevation = 0.0
    package var accumulated = Value.null
    /// The names of the images that exist; nil if unknown.
    package var availableImages: Set<String>?
    /// The tile of the feature's geometry.
    package var tile: TileCoordinate?
    /// Whether a text can be drawn; nil means yes.
    package var isScriptSupported: ((String) -> Bool)?

    package init() {}
}
