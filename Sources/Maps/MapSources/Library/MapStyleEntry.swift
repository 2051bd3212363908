package import JSON
package import MapRender
package import MapStyle

/// A named style, in one state.
package struct MapStyleEntry: Sendable {
    package let name: String
    let compiled: CompiledStyle
    /// Changes with the document, sources, sprites, glyphs, fonts and engine; part of entity tags, known beforehand.
    package let validator: String
    /// Hand it to the engine: it reads from the state that ``validator`` stands for.
    package let resources: any MapResources
    /// ``resources`` that stop decoding pictures for a map that nobody wants any more.
    package func resourcesToDraw(until shouldStop: @escaping @Sendable () -> Bool) -> any MapResources {
        guard var own = resources as? StyleResources else { return resources }
        own.shouldStop = shouldStop
        return own
    }

    /// The service's sources that it draws, in its order.
    package let sourceNames: [String]
    /// The built-in world, if it is drawn around what the style's archive covers.
    package let world: WorldBasemap?
    /// The style for the light theme: itself or its declared sibling.
    package let light: String?
    package let dark: String?

    package var title: String? { compiled.document.head["name"]?.text }
    /// Tile sizes and encodings of the service's sources are filled in. O(bytes) for a style of the service's own.
    package var document: JSONValue { compiled.document.whole }
    /// Of the service's own styles the first use takes tens of milliseconds.
    package var style: Style { compiled.style }
    /// `style`; of the service's own styles without filters and properties of layers, but for the existence of texts. Quick.
    package var outline: Style { compiled.outline }
}

package enum MapTheme: String, Sendable, CaseIterable {
    case light
    case dark
}
