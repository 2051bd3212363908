import JSON

@testable import MapStyle

/// What `scripts/fuzz style` runs: JSON, read and written, and styles.
enum StyleInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let json = try? JSONReader.read(bytes) else { return }
        let text = json.jsonText
        let again = try? JSONReader.read(Array(text.utf8))
        try BrokenInvariant.require(again == json, "\(text) is read in another way")
        let read = outcome(json)
        switch read {
        case .failure(let failure):
            try BrokenInvariant.require(
                (1...StyleFailure.issueLimit).contains(failure.issues.count), "\(failure.issues.count) issues")
            for issue in failure.issues { _ = issue.message }
        case .success(let style): try checkLayers(style)
        }
    }

    private static func outcome(_ json: JSONValue) -> Result<Style, StyleFailure> {
        Result { () throws(StyleFailure) in try Style.read(json) }
    }

    private static func checkLayers(_ style: Style) throws(BrokenInvariant) {
        try BrokenInvariant.require(style.layers.count <= StyleReader.layerLimit, "\(style.layers.count) layers")
        try BrokenInvariant.require(Set(style.layers.map(\.id)).count == style.layers.count, "two layers have one id")
        for zoom in [0, 5.5, 24] {
            let context = EvaluationContext.fuzzed(zoom: zoom)
            context.globalState = style.globalState
            for layer in style.layers.prefix(16) {
                _ = layer.isDrawn(context)
                _ = layer.filter?.accepts(context)
                for value in layer.values { _ = value.value(context) }
            }
            for value in style.light.values { _ = value.value(context) }
        }
    }
}

extension EvaluationContext {
    /// With a feature that has a property of each kind.
    static func fuzzed(zoom: Double) -> EvaluationContext {
        let context = EvaluationContext()
        context.zoom = zoom
        context.feature = FuzzedFeature()
        context.tile = TileCoordinate(z: 3, x: 4, y: 2)
        context.availableImages = ["a", "name"]
        (context.heatmapDensity, context.lineProgress, context.elevation) = (0.5, 0.25, 100)
        return context
    }
}

private final class FuzzedFeature: StyleFeature {
    let kind: FeatureKind? = .polygon
    let id = Value.number(7)
    let properties: OrderedObject<Value>
    let geometry = [[TilePoint(x: 0, y: 0), TilePoint(x: 4096, y: 0), TilePoint(x: 4096, y: 8192)]]

    init() {
        var properties = OrderedObject<Value>()
        for (name, value) in [
            ("a", Value.string("text")), ("b", .boolean(true)), ("n", .number(-1.5)),
            ("l", .array([.number(1), .null])),
            ("c", .string("#f80")), ("e", .string("")),
        ] as [(String, Value)] {
            properties[name] = value
        }
        self.properties = properties
    }

    func property(_ key: PropertyKey) -> Value? { properties[key.name] }
    func property(named name: String) -> Value? { properties[name] }
}
