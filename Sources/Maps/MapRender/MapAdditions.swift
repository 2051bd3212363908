package import JSON
package import MapStyle

/// What an app would set on a map that it shows.
package struct MapAdditions: Sendable {
    package struct FeatureState: Sendable {
        package var source: String
        package var sourceLayer: String?
        package var id: String
        package var state: OrderedObject<Value>

        package init(source: String, sourceLayer: String?, id: String, state: OrderedObject<Value>) {
            (self.source, self.sourceLayer, self.id, self.state) = (source, sourceLayer, id, state)
        }
    }

    package var images: [String: StyleImage] = [:]
    package var featureStates: [FeatureState] = []
    package var crossSourceCollisions = true
    /// Drawn over the layers of the style, the first at the bottom.
    package var drawings: [MapDrawing] = []
    /// The layer under which all ``drawings`` lie; over all layers when nil or unknown.
    package var drawingsBelow: String?
    /// When nil, the attribution is not drawn.
    package var attributionCorner: DrawnCorner?
    package var scaleBar: DrawnScaleBar?
    /// When nil, there is no north arrow.
    package var northCorner: DrawnCorner?
    /// Where the picture will be cut or joined to others; nil when it stands alone.
    package var grid: PlacementGrid?

    package init() {}
}

struct FeatureStates {
    private struct Key: Hashable { var source, sourceLayer, id: String }

    private var states: [Key: OrderedObject<Value>] = [:]
    private var sources: Set<String> = []

    init(_ states: [MapAdditions.FeatureState]) {
        for state in states {
            self.states[Key(source: state.source, sourceLayer: state.sourceLayer ?? "", id: state.id)] = state.state
            sources.insert(state.source)
        }
    }

    func isEmpty(source: String?) -> Bool { source.map { !sources.contains($0) } ?? true }

    func state(of id: Value, _ layer: StyleLayer) -> OrderedObject<Value> {
        let text: String
        switch id {
        case .string(let string): text = string
        case .number(let number): text = Int(exactly: number).map(String.init) ?? String(number)
        default: return OrderedObject()
        }
        return states[Key(source: layer.source ?? "", sourceLayer: layer.sourceLayer ?? "", id: text)]
            ?? OrderedObject()
    }
}
