/// How the style of a map is changed by a request.
package struct MapLook: Hashable, Sendable {
    /// Which points of interest are shown.
    package enum Interests: Hashable, Sendable {
        /// As the style has them.
        case style
        /// All that the source has, where the style chooses by class.
        case all
        case none
        /// Those of these classes, in order of name: `museum`, `cafe`, as the source names them.
        case only([String])
    }

    /// Where the attribution stands.
    package enum Attribution: String, CaseIterable, Sendable {
        case bottomRight = "bottom-right", bottomLeft = "bottom-left", topRight = "top-right", topLeft = "top-left"
        /// Nowhere: where the configuration allows it.
        case none
    }

    /// Whether there are labels.
    package var hasLabels = true
    /// Which points of interest.
    package var interests = Interests.style
    /// Languages of labels (BCP 47 tags in their usual case: `it`, `zh-Hans`), the first that a feature has a name in; empty: as the style says.
    package var languages: [String] = []
    /// The layer of the style under which overlays lie; `labels`: the lowest that draws text; nil: on top.
    package var below: String?
    /// Where the attribution stands.
    package var attribution = Attribution.bottomRight

    /// The style as it is.
    package init() {}
}

extension MapLook {
    /// Languages and classes of points of interest for which a style is compiled of its own; nil where there are none: the few
    /// looks without such lists are compiled once.
    var variantEntryCount: Double? {
        var count = languages.count
        if case .only(let classes) = interests { count += classes.count }
        return count == 0 ? nil : Double(count)
    }
}
