package import JSON
package import MapRender
package import MapStyle

/// A style that the service has by name, in one state.
package struct MapStyleEntry: Sendable {
    /// What `style=` calls it.
    package let name: String
    /// The document; sources of the service have their tile sizes and encodings filled in.
    package let document: JSONValue
    package let style: Style
    /// Changes with the document, the sources, sprites, glyphs, fonts and the engine: part of entity tags. Asking costs
    /// nothing, and it is known before anything is drawn.
    package let validator: String
    /// Where a picture gets what the style names, in the state that ``validator`` stands for; hand it to the engine.
    package let resources: any MapResources
    /// The names of the service's sources that it draws, in its order.
    package let sourceNames: [String]
    /// The built-in world, where it is drawn around what the style's archive covers; nil: it is not, or it is the archive.
    package let world: MapSurroundings?
    /// The style of the same look for light surroundings: itself or its declared sibling.
    package let light: String?
    /// The one for dark surroundings.
    package let dark: String?
}

/// The surroundings that a map is made for.
package enum MapTheme: String, Sendable, CaseIterable {
    case light
    case dark
}
