package import Raster

package struct StyleImage: Sendable {
    /// In the image's own pixels; it may grow there.
    package typealias Stretch = ClosedRange<Double>

    package enum TextFit: String, Sendable { case stretchOrShrink, stretchOnly, proportional }

    package struct Content: Equatable, Sendable { package var left, top, right, bottom: Double }

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
    struct Sheet: Hashable, Sendable {
        var prefix: String
        /// ``SpriteSheet/number``.
        var number: UInt64
    }

    private(set) var images: [String: StyleImage] = [:]
    /// Equal for sets of the same images; nil for a set that got single images.
    private(set) var sheets: [Sheet]? = []

    subscript(name: String) -> StyleImage? {
        get { images[name] }
        set {
            images[name] = newValue
            sheets = nil
        }
    }

    mutating func add(_ others: [String: StyleImage], of sheet: Sheet) {
        for (name, image) in others { images[sheet.prefix + name] = image }
        sheets?.append(sheet)
    }

    /// Adds images that all sets get, where their names are free.
    mutating func addStanding(_ others: [String: StyleImage]) {
        for (name, image) in others where images[name] == nil { images[name] = image }
    }

    var names: Set<String> { Set(images.keys) }
}
