package import Parameters

package enum OverlaySize: Hashable, Sendable, Codable {
    /// Its own size times this, 0.01–10.
    case times(PlainDecimal)
    /// Inside this share of the image's width and height, 0.01–100 %; keeps the ratio.
    case percent(PlainDecimal)
}

/// What is drawn over an image: another asset, or a text.
package struct Overlay: Hashable, Sendable, Codable {
    package enum Content: Hashable, Sendable, Codable {
        case asset(id: String, OverlaySize)
        case text(TextOverlay)
    }

    package var content: Content
    package var gravity: Compass
    /// Offset in pixels, inwards from the sides that the gravity names, else to the right and down.
    package var x: Int
    package var y: Int
    /// 0–1.
    package var opacity: PlainDecimal
    /// Clockwise around its middle, in 0–360.
    package var degrees: PlainDecimal
    /// Pixels between copies that cover the whole image, from the place of the overlay on; nil: it is drawn once.
    package var gap: Int?

    package init(
        _ content: Content, gravity: Compass = .center, x: Int = 0, y: Int = 0, opacity: PlainDecimal = 1,
        degrees: PlainDecimal = 0, gap: Int? = nil
    ) {
        (self.content, self.gravity, self.x, self.y) = (content, gravity, x, y)
        (self.opacity, self.degrees, self.gap) = (opacity, degrees, gap)
    }

    package init(
        id: String, gravity: Compass = .center, x: Int = 0, y: Int = 0, size: OverlaySize = .times(1),
        opacity: PlainDecimal = 1, degrees: PlainDecimal = 0, gap: Int? = nil
    ) {
        self.init(.asset(id: id, size), gravity: gravity, x: x, y: y, opacity: opacity, degrees: degrees, gap: gap)
    }

    /// Nil for a text.
    package var id: String? { if case .asset(let id, _) = content { id } else { nil } }

    /// Nil for an asset.
    package var text: TextOverlay? { if case .text(let text) = content { text } else { nil } }

    /// Does nothing to a text.
    package mutating func replaceID(with id: String) {
        if case .asset(_, let size) = content { content = .asset(id: id, size) }
    }

    /// Whether its pixels are not those of its own upright grid.
    package var isTransformed: Bool { degrees != 0 || gap != nil }

    /// Whether anything of it is measured in pixels of the request.
    var hasLength: Bool {
        if x != 0 || y != 0 || (gap ?? 0) != 0 { return true }
        switch content {
        case .asset(_, .times): return true
        case .asset(_, .percent): return false
        case .text(let text): return text.hasLength
        }
    }

    /// With lengths multiplied by `scale`; percentages stay.
    package func scaled(by scale: PlainDecimal) -> Overlay {
        var scaled = self
        scaled.x = scale.multiplied(by: x) ?? x
        scaled.y = scale.multiplied(by: y) ?? y
        scaled.gap = gap.map { scale.multiplied(by: $0) ?? $0 }
        switch content {
        case .asset(let id, .times(let factor)):
            scaled.content = .asset(id: id, .times(factor.multiplied(by: scale) ?? factor))
        case .asset(_, .percent): break
        case .text(let text): scaled.content = .text(text.scaled(by: scale))
        }
        return scaled
    }
}
