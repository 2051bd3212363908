package import JSON

/// The kind of a feature's geometry; several of a kind count as one.
package enum FeatureKind: String, Sendable {
    case point = "Point"
    case lineString = "LineString"
    case polygon = "Polygon"
}

/// A property's name, with the number it has among the names that a style asks for.
///
/// A source of features can find its own index of each name once per layer of a tile, in a table by ``slot``.
package struct PropertyKey: Hashable, Sendable {
    package let name: String
    /// The place in ``PropertyKeys/names``.
    package let slot: Int
}

/// The property names that the expressions of a style ask for.
package final class PropertyKeys {
    package private(set) var names: [String] = []
    private var slots: [String: Int] = [:]

    package init() {}

    /// The key of `name`, which is given a slot when it is new.
    package func key(_ name: String) -> PropertyKey {
        if let slot = slots[name] { return PropertyKey(name: name, slot: slot) }
        slots[name] = names.count
        names.append(name)
        return PropertyKey(name: name, slot: names.count - 1)
    }
}

/// A place in a tile: 8192 to its side, from the top left; beyond the sides too.
package struct TilePoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

package protocol StyleFeature: AnyObject {
    /// The kind of geometry, or nil when that is not known.
    var kind: FeatureKind? { get }
    /// The id: a number, a string or `null`.
    var id: Value { get }
    var properties: OrderedObject<Value> { get }
    /// The points, lines or rings, for `within` and `distance`.
    var geometry: [[TilePoint]] { get }
    /// The property with a name known when the style was compiled, or nil.
    func property(_ key: PropertyKey) -> Value?
    /// The property with a name known only now, or nil.
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

/// What an expression is evaluated against. One is made per thread of work and its fields are set from feature to feature.
package final class EvaluationContext {
    package var zoom = 0.0
    package var feature: (any StyleFeature)?
    package var featureState = OrderedObject<Value>()
    package var globalState = OrderedObject<Value>()
    package var heatmapDensity = 0.0
    package var lineProgress = 0.0
    /// What `elevation` is, in metres.
    package var elevation = 0.0
    package var accumulated = Value.null
    /// The names of the images that exist; nil where that is not known.
    package var availableImages: Set<String>?
    /// The tile that the feature's geometry belongs to.
    package var tile: TileCoordinate?
    /// Whether text of a script can be drawn; nil is yes.
    package var isScriptSupported: ((String) -> Bool)?

    package init() {}
}
