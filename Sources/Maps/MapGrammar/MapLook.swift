/// The changes that a request makes to a style.
package struct MapLook: Hashable, Sendable {
    package enum Interests: Hashable, Sendable {
        case style
        /// All of the source, also those that the style leaves out by class.
        case all
        case none
        /// Sorted classes, as the source names them: `cafe`, `museum`.
        case only([String])
    }

    package enum Attribution: String, CaseIterable, Sendable {
        case bottomRight = "bottom-right", bottomLeft = "bottom-left", topRight = "top-right", topLeft = "top-left"
        /// If the configuration allows it.
        case none
    }

    package enum Corner: String, CaseIterable, Sendable {
        case bottomRight = "bottom-right", bottomLeft = "bottom-left", topRight = "top-right", topLeft = "top-left"
    }

    package var hasLabels = true
    package var interests = Interests.style
    /// In order of preference (BCP 47 tags in their usual case: `it`, `zh-Hans`); empty: as the style says.
    package var languages: [String] = []
    /// The layer under which overlays are drawn; `labels`: the lowest that draws text; nil: on top.
    package var below: String?
    package var attribution = Attribution.bottomRight
    package var scaleBar: ScaleBar?
    /// The corner of the north arrow.
    package var north: Corner?

    package init() {}
}
