package import Raster

/// An image of a sprite: an icon or a pattern.
package struct StyleImage: Sendable {
    /// Stretches of an image that may grow, in its own pixels.
    package typealias Stretch = ClosedRange<Double>

    /// What happens to the ratio of the sides when an image is fitted to a text.
    package enum TextFit: String, Sendable {
        /// May be stretched and shrunk.
        case stretchOrShrink
        /// May only be stretched.
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
    package var stretchX: [Stretch]
    /// What may grow vertically; empty is all.
    package var stretchY: [Stretch]
    /// Where text goes; nil is anywhere.
    package var content: Content?
    /// How its width follows a text.
    package var textFitWidth: TextFit
    /// How its height follows a text.
    package var textFitHeight: TextFit

    /// An image without stretches.
    package init(texture: Texture, pixelRatio: Double = 1, isSDF: Bool = false) {
        self.texture = texture
        self.pixelRatio = pixelRatio
        self.isSDF = isSDF
        stretchX = []
        stretchY = []
        content = nil
        textFitWidth = .stretchOrShrink
        textFitHeight = .stretchOrShrink
    }

    /// CSS pixels.
    package var width: Double { Double(texture.widthPx) / pixelRatio }
    /// CSS pixels.
    package var height: Double { Double(texture.heightPx) / pixelRatio }
}

/// The images that a style has, by name.
package struct ImageSet: Sendable {
    package private(set) var images: [String: StyleImage] = [:]

    package init() {}

    /// The image with a name.
    package subscript(name: String) -> StyleImage? {
        get { images[name] }
        set { images[name] = newValue }
    }

    package var names: Set<String> { Set(images.keys) }
}
