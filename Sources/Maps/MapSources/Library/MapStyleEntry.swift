package import JSON
package import MapRender
package import MapStyle

/// A named style, in one state.
package struct MapStyleEntry: Sendable {
    package let name: String
    /// Tile sizes and encodings of the service's sources are filled in.
    package let document: JSONValue
    package let style: Style
    /// Changes with the document, sources, sprites, glyphs, fonts and engine; part of entity tags, known beforehand.
    package let validator: String
    /// Hand it to the engine: it reads from the state that ``validator`` stands for.
    package let resources: any MapResources
    /// The service's sources that it draws, in its order.
    package let sourceNames: [String]
    /// The built-in world, if it is drawn around what the style's archive covers.
    package let world: WorldBasemap?
    /// The style for the light theme: itself or its declared sibling.
    package let light: String?
    package let dark: String?
}

package enum MapTheme: String, Sendable, CaseIterable {
    case light
    case dark
}
