package import JSON

/// A style of the MapLibre style specification, version 8: read, checked and compiled once, then shared.
package struct Style: Sendable {
    /// Where the pictures of icons are: the prefix of their names, and the address without its ending.
    package struct Sprite: Equatable, Sendable {
        /// `default` for names without a prefix.
        package var id: String
        package var url: String
    }

    /// The view when nothing else is said: longitude and latitude.
    package var center: [Double]?
    package var zoom: Double?
    /// Degrees clockwise from north that are up.
    package var bearing = 0.0
    package var pitch = 0.0
    /// Degrees that the picture is turned.
    package var roll = 0.0
    package var sources: [String: StyleSource] = [:]
    package var sprites: [Sprite] = []
    /// The template of addresses of glyphs; without one text is set in local fonts.
    package var glyphs: String?
    /// Whether a picture that stands alone shows names only where all of them is in it: `metadata` says `"veduta:names": "inside"`.
    package var keepsNamesInside = false
    package var layers: [StyleLayer] = []
    package var light: [LayerProperty: PropertyExpression] = [:]
    package var globalState = OrderedObject<Value>()
    /// The names of properties that expressions ask for, by ``PropertyKey/slot``.
    package var propertyNames: [String] = []
    /// Sources that are shown only where another one has nothing, by their ids: the other one's.
    package var surroundings: [String: String] = [:]
    /// The fill layer whose color goes on beyond the north end of the world; nil: none does.
    package var northLayer: String?
    /// The one whose color goes on beyond the south end.
    package var southLayer: String?
    /// What the style says that is unknown and does no harm.
    package var notices: [StyleIssue] = []

    /// The style that `bytes` spell.
    ///
    /// - Throws: ``StyleFailure`` with what is wrong, each with its path. O(bytes).
    package static func read(_ bytes: [UInt8]) throws(StyleFailure) -> Style {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(bytes)
        } catch {
            throw StyleFailure(issues: [StyleIssue(path: "", fault: .json(error))])
        }
        return try read(json)
    }

    package static func read(_ json: JSONValue) throws(StyleFailure) -> Style {
        var reader = StyleReader()
        return try reader.read(json)
    }
}
