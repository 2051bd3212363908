package import JSON
package import MapStyle

/// What a picture is given beside its style: what an app would set on a map that it shows.
package struct MapAdditions: Sendable {
    package struct FeatureState: Sendable {
        package var source: String
        /// The layer in vector tiles; nil for GeoJSON.
        package var sourceLayer: String?
        /// The feature's id as text.
        package var id: String
        /// What `feature-state` finds.
        package var state: OrderedObject<Value>

        package init(source: String, sourceLayer: String?, id: String, state: OrderedObject<Value>) {
            self.source = source
            self.sourceLayer = sourceLayer
            self.id = id
            self.state = state
        }
    }

    /// Images by name; they come before those of sprites.
    package var images: [String: StyleImage] = [:]
    package var featureStates: [FeatureState] = []
    /// Whether symbols of different sources keep clear of each other.
    package var crossSourceCollisions = true
    /// What is drawn over the layers of the style, the first at the bottom.
    package var drawings: [MapDrawing] = []
    /// The layer of the style under which all of ``drawings`` lie; nil, or one that there is not: over all layers.
    package var drawingsBelow: String?
    /// The corner in which the attribution of the sources is set; nil: it is not drawn.
    package var attributionCorner: AttributionCorner?

    /// Where the picture will be cut, or put to others; nil: it stands alone.
    package var grid: PlacementGrid?

    package init() {}
}

package enum AttributionCorner: Sendable {
    case bottomRight, bottomLeft, topRight, topLeft

    var isTop: Bool { self == .topRight || self == .topLeft }
    var isLeft: Bool { self == .bottomLeft || self == .topLeft }
}

struct FeatureStates {
    private struct Key: Hashable {
        var source: String
        var sourceLayer: String
        var id: String
    }

    private var states: [Key: OrderedObject<Value>] = [:]
    private var sources: Set<String> = []

    init(_ states: [MapAdditions.FeatureState]) {
        for state in states {
            self.states[Key(source: state.source, sourceLayer: state.sourceLayer ?? "", id: state.id)] = state.state
            sources.insert(state.source)
        }
    }

    func isEmpty(source: String?) -> Bool { source.map { !sources.contains($0) } ?? true }

    /// The state of a feature, empty when it has none.
    func state(of id: Value, _ layer: StyleLayer) -> OrderedObject<Value> {
        let text: String
        switch id {
        case .string(let string): text = string
        case .number(let number):
            text = Int(exactly: number).map(String.init) ?? String(number)
        default: return OrderedObject()
        }
        return states[Key(source: layer.source ?? "", sourceLayer: layer.sourceLayer ?? "", id: text)]
            ?? OrderedObject()
    }
}
