package import JSON
package import MapGrammar
package import MapRender
package import MapStyle
package import Raster

/// A style as a request wants it: variants of language and labels, and overlays over its layers or between them.
package enum MapAppearance {
    /// What `below` calls the lowest layer that draws text.
    package static let labels = "labels"

    /// The style document `json` without labels or points of interest, or with the names of other languages, as `look` says;
    /// compiled. The caller keeps it: it is the same for all requests with an equal `look`.
    ///
    /// - Throws: ``StyleFailure`` if the document is none.
    package static func variant(of json: JSONValue, _ look: MapLook) throws(StyleFailure) -> Style {
        try Style.read(StyleVariant(look).document(json))
    }

    /// What draws `overlays` over `style` (or below the layer that `look` names), seen from `camera`, and the attribution where
    /// `look` wants it. `icons` are pictures of the library by id; a marker whose icon is missing is drawn as a pin.
    ///
    /// Overlays are drawn by the same projection as the layers of the style and in their order, but not through tiles.
    /// O(points). When `shouldStop` says so, the rest is left out: nobody will see the picture.
    package static func additions(
        _ overlays: [MapOverlay], icons: [String: Texture], to style: Style, _ look: MapLook, seenFrom camera: Camera,
        shouldStop: @escaping () -> Bool = { false }
    ) -> MapAdditions {
        var additions = MapAdditions()
        var drawer = OverlayDrawer(icons: icons, view: View(camera), shouldStop: shouldStop)
        for overlay in overlays {
            if shouldStop() { break }
            drawer.add(overlay)
        }
        additions.drawings = drawer.drawings
        additions.drawingsBelow = layer(below: look.below, of: style)
        additions.attributionCorner = look.attribution.corner
        return additions
    }

    /// The id of the layer that `below` means in `style`: itself, or for `labels` the lowest that draws text; nil when there is
    /// no such layer, and overlays lie over all.
    package static func layer(below name: String?, of style: Style) -> String? {
        guard let name else { return nil }
        if let layer = style.layers.first(where: { $0.id == name }) { return layer.id }
        guard name == labels else { return nil }
        return style.layers.first { $0.kind == .symbol && $0.gives(.textField) }?.id
    }
}

extension MapLook.Attribution {
    /// The corner; nil for none.
    fileprivate var corner: AttributionCorner? {
        switch self {
        case .bottomRight: .bottomRight
        case .bottomLeft: .bottomLeft
        case .topRight: .topRight
        case .topLeft: .topLeft
        case .none: nil
        }
    }
}
