/// How the style of a map is changed by a request.
package struct MapLook: Hashable, Sendable {
    package enum Interests: Hashable, Sendable {
        case style
        /// All that the source has, where the style chooses by class.
        case all
        case none
        /// Those of these classes, in order of name: `museum`, `cafe`, as the source names them.
        case only([String])
    }

    package enum Attribution: String, CaseIterable, Sendable {
        case bottomRight = "bottom-right", bottomLeft = "bottom-left", topRight = "top-right", topLeft = "top-left"
        /// Nowhere: where the configuration allows it.
        case none
    }

    package var hasLabels = true
    package var interests = Interests.style
    /// Languages of labels (BCP 47 tags in their usual case: `it`, `zh-Hans`), the first that a feature has a name in; empty: as the style says.
    package var languages: [String] = []
    /// The layer of the style under which overlays lie; `labels`: the lowest that draws text; nil: on top.
    package var below: String?
    package var attribution = Attribution.bottomRight

    package init() {}
}
