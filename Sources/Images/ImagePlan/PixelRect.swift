package struct PixelSize: Hashable, Sendable, Codable {
    package var widthPx: Int
    package var heightPx: Int

    package init(widthPx: Int, heightPx: Int) { (self.widthPx, self.heightPx) = (widthPx, heightPx) }
    package var transposed: PixelSize { PixelSize(widthPx: heightPx, heightPx: widthPx) }
}

/// A rectangle of whole pixels; the origin is the top-left corner of the image.
package struct PixelRect: Hashable, Sendable, Codable {
    package var x: Int
    package var y: Int
    package var widthPx: Int
    package var heightPx: Int

    package init(x: Int, y: Int, widthPx: Int, heightPx: Int) {
        (self.x, self.y, self.widthPx, self.heightPx) = (x, y, widthPx, heightPx)
    }

    package init(covering size: PixelSize) { self.init(x: 0, y: 0, widthPx: size.widthPx, heightPx: size.heightPx) }
    package var size: PixelSize { PixelSize(widthPx: widthPx, heightPx: heightPx) }
}
