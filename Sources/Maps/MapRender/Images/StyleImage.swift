package import Raster

package struct StyleImage: Sendable {
    /// In the image's own pixels; it may grow there.
    package typealias Stretch = ClosedRange<Double>

    package enum TextFit: String, Sendable {
        case stretchOrShrink, stretchOnly, proportional
    }

    package struct Content: Equatable, Sendable {
        package var left, top, right, bottom: Double
    }

    package var texture: Texture
    package var pixelRatio: Double
    package var isSDF: Bool
    package var stretchX: [Stretch] = []
    package var stretchY: [Stretch] = []
    /// Where text goes; nil is anywhere.
    package var content: Content?
    package var textFitWidth = TextFit.stretchOrShrink
    package var textFitHeight = TextFit.stretchOrShrink

    package init(texture: Texture, pixelRatio: Double = 1, isSDF: Bool = false) {
        (self.texture, self.pixelRatio, self.isSDF) = (texture, pixelRatio, isSDF)
    }

    package var width: Double { Double(texture.widthPx) / pixelRatio }
    package var height: Double { Double(texture.heightPx) / pixelRatio }
}

struct ImageSet: Sendable {
    private(set) var images: [String: StyleImage] = [:]

    subscript(name: String) -> StyleImage? {
        get { images[name] }
        set { images[name] = newValue }
    }

    var names: Set<String> { Set(images.keys) }
}
