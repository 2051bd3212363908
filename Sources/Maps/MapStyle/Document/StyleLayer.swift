package import JSON
import Synchronization

package final class StyleLayer: Sendable {
    private static let count = Atomic<UInt64>(0)

    /// Unique in the process, so that caches can refer to a layer without keeping it alive.
    package let number = StyleLayer.count.wrappingAdd(1, ordering: .relaxed).newValue
    package let id: String
    package let kind: LayerKind
    package let source: String?
    package let sourceLayer: String?
    /// Drawn from `minZoom` on, below `maxZoom`.
    package let minZoom: Double
    package let maxZoom: Double
    package let filter: Filter?
    package let visibility: PropertyExpression
    /// Everything that decides where features are placed: layers with equal arrangements differ only in paint.
    package let arrangement: JSONValue
    /// Equal for layers of a style with equal arrangements: the number of the first of them.
    package let arrangementNumber: UInt64
    /// Of the filter and the layout properties together.
    package let layoutDependence: Dependence

    package var byteCount: Int { Self.byteCountOfLayer + arrangement.valueCount * Self.byteCountOfValue }
    private static let byteCountOfLayer = 4096
    /// A value of the document and its compiled form.
    private static let byteCountOfValue = 256

    let firstProperty: Int
    let values: [PropertyExpression]
    let given: Set<LayerProperty>

    init(
        id: String, kind: LayerKind, source: String?, sourceLayer: String?, minZoom: Double, maxZoom: Double,
        filter: Filter?, visibility: PropertyExpression, arrangement: JSONValue, firstOfArrangement: UInt64?,
        layoutDependence: Dependence,
        firstProperty: Int, values: [PropertyExpression], given: Set<LayerProperty>
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
        if let firstOfArrangement { arrangementNumber = firstOfArrangement } else { arrangementNumber = number }
        self.layoutDependence = layoutDependence
        self.firstProperty = firstProperty
        self.values = values
        self.given = given
    }

    /// A paint or layout property, given or by default. For one of another kind of layer the result is arbitrary.
    package subscript(property: LayerProperty) -> PropertyExpression {
        let index = property.rawValue - firstProperty
        return values[values.indices.contains(index) ? index : 0]
    }

    package func gives(_ property: LayerProperty) -> Bool { given.contains(property) }

    /// Below zoom 0, where the world is smaller than a tile, the same as at 0.
    package func isDrawn(_ context: EvaluationContext) -> Bool {
        max(0, context.zoom) >= minZoom && context.zoom < maxZoom && visibility.value(context) != .string("none")
    }
}

extension JSONValue {
    fileprivate var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
        case .null, .boolean, .number, .string: 1
        }
    }
}
