package import Bytes
package import JSON
package import MapGrammar
package import MapRender
package import MapStyle
package import Raster

/// A style as changed by a request: variants of language and labels, and overlays.
package enum MapAppearance {
    /// The value of `below` for the lowest layer that draws text.
    package static let labels = "labels"

    /// Changes and compiles the style document `json`. Cache the result: it is the same for equal looks.
    package static func variant(of json: JSONValue, _ look: MapLook) throws(StyleFailure) -> Style {
        try Style.read(StyleVariant(look).document(json))
    }

    /// The drawings for `overlays`, their layer, and what stands in corners. `icons` are images of the library by id;
    /// a missing one is drawn as a pin. Polls `shouldStop`; once it is true, the rest is left out. O(points).
    package static func additions(
        _ overlays: [MapOverlay], icons: [ExactText: Texture], to style: Style, _ look: MapLook,
        seenFrom camera: Camera, shouldStop: @escaping () -> Bool = { false }
    ) -> MapAdditions {
        var additions = MapAdditions()
        var drawer = OverlayDrawer(icons: icons, view: View(camera), shouldStop: shouldStop)
        // Markers lie over everything else.
        for overlay in overlays.filter({ !$0.isMarker }) + overlays.filter(\.isMarker) {
            if shouldStop() { break }
            drawer.add(overlay)
        }
        additions.drawings = drawer.drawings
        additions.drawingsBelow = layer(below: look.below, of: style)
        additions.attributionCorner = look.attribution.corner
        additions.scaleBar = look.scaleBar.map { DrawnScaleBar($0.units.drawn, $0.corner.drawn) }
        additions.northCorner = look.north?.drawn
        return additions
    }

    /// The id of the layer that `below` means in `style`; nil if there is none, and overlays are drawn on top.
    package static func layer(below name: String?, of style: Style) -> String? {
        guard let name else { return nil }
        if let layer = style.layers.first(where: { $0.id == name }) { return layer.id }
        guard name == labels else { return nil }
        return style.layers.first { $0.kind == .symbol && $0.gives(.textField) }?.id
    }
}

extension MapOverlay {
    fileprivate var isMarker: Bool { if case .marker = self { true } else { false } }
}

extension MapLook.Attribution {
    fileprivate var corner: DrawnCorner? { MapLook.Corner(rawValue: rawValue)?.drawn }
}

extension MapLook.Corner {
    fileprivate var drawn: DrawnCorner {
        switch self {
        case .bottomRight: .bottomRight
        case .bottomLeft: .bottomLeft
        case .topRight: .topRight
        case .topLeft: .topLeft
        }
    }
}

extension ScaleBar.Units {
    fileprivate var drawn: [DrawnScaleBar.Units] {
        switch self {
        case .metric: [.metric]
        case .imperial: [.imperial]
        case .both: [.metric, .imperial]
        case .nautical: [.nautical]
        }
    }
}
