package import Raster

/// An image of a sprite: an icon or a pattern.
package struct StyleImage: Sendable {
    /// Stretches of an image that may grow, in its own pixels.
    package typealias Stretch = ClosedRange<Double>

    /// What happens to the ratio of the sides when an image is fitted to a text.
    package enum TextFit: String, Sendable {
        case stretchOrShrink
        case stretchOnly
        case proportional
    }

    /// The place of the content: left, top, right, bottom, in the image's own pixels.
    package struct Content: Equatable, Sendable {
        package var left: Double
        package var top: Double
        package var right: Double
        package var bottom: Double
    }

    /// The pixels, cut out of the sheet, without a border.
    package var texture: Texture
    /// Pixels of the image per CSS pixel.
    package var pixelRatio: Double
    /// Whether its alpha is a signed distance.
    package var isSDF: Bool
    /// What may grow horizontally; empty is all.
    package var stretchX: [Stretch] = []
    /// What may grow vertically; empty is all.
    package var stretchY: [Stretch] = []
    /// Where text goes; nil is anywhere.
    package var content: Content?
    package var textFitWidth = TextFit.stretchOrShrink
    package var textFitHeight = TextFit.stretchOrShrink

    package init(texture: Texture, pixelRatio: Double = 1, isSDF: Bool = false) {
        self.texture = texture
        self.pixelRatio = pixelRatio
        self.isSDF = isSDF
    }

    /// CSS pixels.
    package var width: Double { Double(texture.widthPx) / pixelRatio }
    /// CSS pixels.
    package var height: Double { Double(texture.heightPx) / pixelRatio }
}

/// The images that a style has, by name.
struct ImageSet: Sendable {
    private(set) var images: [String: StyleImage] = [:]

    subscript(name: String) -> StyleImage? {
        get { images[name] }
        set { images[name] = newValue }
    }

    var names: Set<String> { Set(images.keys) }
}
