package import ImagePlan
package import Parameters

/// A map picture as asked for: validated, canonical, independent of any archive.
package struct MapRequest: Sendable {
    package enum Purpose: Sendable {
        case picture
        /// Where places are on the picture: `/map.json`, which takes `point` too.
        case positions
    }

    /// Which appearance of a style is shown.
    package enum Theme: String, CaseIterable, Sendable {
        /// By day or by night.
        case light, dark
        /// As the client prefers.
        case auto
    }

    package var placement: MapPlacement
    /// CSS pixels.
    package var widthPx = Self.usualSide
    /// CSS pixels.
    package var heightPx = Self.usualSide
    /// Device pixels per CSS pixel, 1…4.
    package var scale: PlainDecimal = 1
    /// Degrees clockwise from north that point up, from 0 to less than 360.
    package var bearing: PlainDecimal = 0
    /// Degrees of tilt, 0…60.
    package var pitch: PlainDecimal = 0
    /// What the place, box or overlays that are asked for keep clear of.
    package var padding = MapPadding()
    /// The name of a style; nil: the default one.
    package var style: String?
    /// `auto`, or nil: parsing turns `light` and `dark` into the style of that appearance. See `themed`.
    package var theme: Theme?
    /// Labels, points of interest, languages, `below`, attribution.
    package var look = MapLook()
    /// What lies over the map, the first at the bottom; GeoJSON has become markers, paths, polygons and circles.
    package var overlays: [MapOverlay] = []
    /// Whose position on the picture is asked for (`/map.json`).
    package var points: [GeoPlace] = []
    /// Filters of the finished picture, as of `/asset`.
    package var filters: [ImageFilter] = []
    /// nil: by `Accept`.
    package var format: OutputFormat?
    /// 1…100; nil: the format's default.
    package var quality: Int?
    package var downloadName: String?

    package init(_ placement: MapPlacement) {
        self.placement = placement
    }

    /// Width and height where none are asked for.
    static let usualSide = 512

    package static let formats: [OutputFormat] = [.jpeg, .png, .webp, .avif]

    /// The format to answer in: the one asked for; else, among those that `Accept` names outright, the one of highest
    /// quality (WebP before AVIF at equal quality: on flat color it is as small and costs a tenth); else PNG, or JPEG
    /// where a client refuses PNG.
    package func outputFormat(accepting quality: (OutputFormat) -> Double, named: (OutputFormat) -> Bool)
        -> OutputFormat
    {
        if let format { return format }
        var best = quality(.png) > 0 || quality(.jpeg) == 0 ? OutputFormat.png : .jpeg
        var isChosen = false
        for candidate in [OutputFormat.webp, .avif] where named(candidate) && quality(candidate) > 0 {
            let isBetter = isChosen ? quality(candidate) > quality(best) : quality(candidate) >= quality(best)
            if isBetter {
                best = candidate
                isChosen = true
            }
        }
        return best
    }

    /// The request with the theme that a client prefers in place of `theme=auto`; unchanged where another was asked for.
    package func themed(prefersDark: Bool, _ rules: MapRules) -> MapRequest {
        guard theme == .auto else { return self }
        var themed = self
        themed.theme = nil
        if let name = style ?? rules.styles.first, let themes = rules.themes[name] {
            themed.setStyle(prefersDark ? themes.dark : themes.light, rules)
        }
        return themed
    }

    /// The padding where none is asked for: overlays that are framed keep a twentieth of the shorter side from the edges, at most
    /// 40 pixels; what else is asked for is had exactly.
    var usualPadding: MapPadding {
        guard case .overlays = placement else { return MapPadding() }
        return MapPadding(all: min(40, min(widthPx, heightPx) / 20))
    }

    /// Takes a style by name; the default one has none.
    mutating func setStyle(_ name: String, _ rules: MapRules) {
        style = name == rules.styles.first ? nil : name
    }
}
