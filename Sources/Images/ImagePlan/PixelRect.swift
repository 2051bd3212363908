/// A width and a height in pixels.
package struct PixelSize: Hashable, Sendable {
    package var widthPx: Int
    package var heightPx: Int

    package init(widthPx: Int, heightPx: Int) {
        self.widthPx = widthPx
        self.heightPx = heightPx
    }

    /// The same size lying on its other side.
    package var transposed: PixelSize { PixelSize(widthPx: heightPx, heightPx: widthPx) }
}

/// A rectangle of whole pixels; the origin is the top-left corner of the picture.
package struct PixelRect: Hashable, Sendable {
    /// Columns to the left of the rectangle.
    package var x: Int
    /// Rows above the rectangle.
    package var y: Int
    package var widthPx: Int
    package var heightPx: Int

    package init(x: Int, y: Int, widthPx: Int, heightPx: Int) {
        self.x = x
        self.y = y
        self.widthPx = widthPx
        self.heightPx = heightPx
    }

    /// The rectangle that covers a picture of `size`.
    package init(covering size: PixelSize) {
        self.init(x: 0, y: 0, widthPx: size.widthPx, heightPx: size.heightPx)
    }

    package var size: PixelSize { PixelSize(widthPx: widthPx, heightPx: heightPx) }
}
