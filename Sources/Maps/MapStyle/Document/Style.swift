package import JSON

/// A style of the MapLibre style specification, version 8, checked and compiled.
package struct Style: Sendable {
    package struct Sprite: Equatable, Sendable {
        /// The prefix of its icons' names; `default` for none.
        package var id: String
        package var url: String
    }

    /// Longitude and latitude of the default view.
    package var center: [Double]?
    package var zoom: Double?
    package var bearing = 0.0
    package var pitch = 0.0
    package var roll = 0.0
    package var sources: [String: StyleSource] = [:]
    package var sprites: [Sprite] = []
    /// The template of glyph addresses; nil for local fonts.
    package var glyphs: String?
    /// Whether a single image leaves out names that its edges would cut (`"veduta:names": "inside"` in `metadata`).
    package var keepsNamesInside = false
    package var layers: [StyleLayer] = []
    package var light: [LayerProperty: PropertyExpression] = [:]
    package var globalState = OrderedObject<Value>()
    /// The property names in expressions, by ``PropertyKey/slot``.
    package var propertyNames: [String] = []
    /// By source id, the id of another source: the first is shown only where the other has nothing.
    package var surroundings: [String: String] = [:]
    /// The fill layers whose colors continue beyond the north and south ends of the world.
    package var northLayer: String?
    package var southLayer: String?
    /// Harmless faults, such as unknown properties.
    package var warnings: [StyleIssue] = []

    /// O(bytes). All faults are reported at once.
    package static func read(_ bytes: [UInt8]) throws(StyleFailure) -> Style {
        let json = try Result { () throws(JSONError) in try JSONReader.read(bytes) }
            .mapError { StyleFailure(issues: [StyleIssue(path: "", fault: .json($0))]) }.get()
        return try read(json)
    }

    package static func read(_ json: JSONValue) throws(StyleFailure) -> Style {
        var reader = StyleReader()
        return try reader.read(json)
    }
}
