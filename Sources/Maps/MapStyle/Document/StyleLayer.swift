package import JSON
import Synchronization

package final class StyleLayer: Sendable {
    private static let count = Atomic<UInt64>(0)

    /// Another one for each layer that was ever compiled: what is known of a layer is kept by it without keeping the layer.
    package let number = StyleLayer.count.wrappingAdd(1, ordering: .relaxed).newValue
    /// The name, each once in a style.
    package let id: String
    package let kind: LayerKind
    /// The id of its source; nil for a background.
    package let source: String?
    package let sourceLayer: String?
    /// It is drawn from this zoom level on.
    package let minZoom: Double
    /// It is drawn below this zoom level.
    package let maxZoom: Double
    /// Which features it draws; nil is all.
    package let filter: Filter?
    package let visibility: PropertyExpression

    /// All that decides where the layer's features come to stand. Layers with equal ones differ in paint alone.
    package let arrangement: JSONValue

    /// About how many bytes of memory it takes.
    package var byteCount: Int { Self.byteCountOfLayer + arrangement.valueCount * Self.byteCountOfValue }

    private static let byteCountOfLayer = 4096
    /// A value of the document and what it was compiled to.
    private static let byteCountOfValue = 256

    let firstProperty: Int
    let values: [PropertyExpression]
    let given: Set<LayerProperty>

    init(
        id: String, kind: LayerKind, source: String?, sourceLayer: String?, minZoom: Double, maxZoom: Double,
        filter: Filter?, visibility: PropertyExpression, arrangement: JSONValue, firstProperty: Int,
        values: [PropertyExpression], given: Set<LayerProperty>
    ) {
        self.id = id
        self.kind = kind
        self.source = source
        self.sourceLayer = sourceLayer
        self.minZoom = minZoom
        self.maxZoom = maxZoom
        self.filter = filter
        self.visibility = visibility
        self.arrangement = arrangement
        self.firstProperty = firstProperty
        self.values = values
        self.given = given
    }

    /// The value of a paint or layout property, given or by default. A property of other kinds of layers is the first of this.
    package subscript(property: LayerProperty) -> PropertyExpression {
        let index = property.rawValue - firstProperty
        return values[values.indices.contains(index) ? index : 0]
    }

    package func gives(_ property: LayerProperty) -> Bool { given.contains(property) }

    /// Whether the layer is drawn at a zoom level. Below 0, where the world is smaller than a tile, it is what it is at 0.
    package func isDrawn(_ context: EvaluationContext) -> Bool {
        max(0, context.zoom) >= minZoom && context.zoom < maxZoom && visibility.value(context) != .string("none")
    }
}

extension JSONValue {
    /// How many values there are in it, itself included.
    fileprivate var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
        case .null, .boolean, .number, .string: 1
        }
    }
}
