package import ImagePlan
package import Parameters

/// A validated request for a map, independent of any archive.
package struct MapRequest: Sendable {
    package enum Purpose: Sendable {
        case picture
        /// The positions of places: `/map.json`, which also takes `point`.
        case positions
    }

    package enum Theme: String, CaseIterable, Sendable {
        case light, dark
        /// As the client prefers.
        case auto
    }

    package var placement: MapPlacement
    /// CSS pixels, as is the height.
    package var widthPx = Self.usualSide
    package var heightPx = Self.usualSide
    /// Device pixels per CSS pixel, 1…4.
    package var scale: PlainDecimal = 1
    /// Degrees clockwise from north that point up, `0..<360`.
    package var bearing: PlainDecimal = 0
    /// Degrees, 0…60.
    package var pitch: PlainDecimal = 0
    package var padding = MapPadding()
    package var style: String?
    /// `auto` or nil: parsing turns `light` and `dark` into a style. See `themed`.
    package var theme: Theme?
    package var look = MapLook()
    /// The first is at the bottom.
    package var overlays: [MapOverlay] = []
    package var points: [GeoPlace] = []
    package var encoding = DrawnEncoding()

    package init(_ placement: MapPlacement) { self.placement = placement }

    static let usualSide = 512

    /// The request with the client's preferred theme in place of `theme=auto`.
    package func themed(prefersDark: Bool, _ rules: MapRules) -> MapRequest {
        guard theme == .auto else { return self }
        var themed = self
        themed.theme = nil
        if let name = style ?? rules.styles.first, let themes = rules.themes[name] {
            themed.setStyle(prefersDark ? themes.dark : themes.light, rules)
        }
        return themed
    }

    /// The default padding: around overlays a twentieth of the shorter side, at most 40 pixels; else none.
    var usualPadding: MapPadding {
        guard case .overlays = placement else { return MapPadding() }
        let side = min(40, min(widthPx, heightPx) / 20)
        return MapPadding(top: side, right: side, bottom: side, left: side)
    }

    /// The default style is nil.
    mutating func setStyle(_ name: String, _ rules: MapRules) { style = name == rules.styles.first ? nil : name }
}
