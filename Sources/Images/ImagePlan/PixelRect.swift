import Bytes

package struct PixelSize: Hashable, Sendable, Codable {
    package var widthPx: Int
    package var heightPx: Int

    package init(widthPx: Int, heightPx: Int) { (self.widthPx, self.heightPx) = (widthPx, heightPx) }
    package var transposed: PixelSize { PixelSize(widthPx: heightPx, heightPx: widthPx) }

    /// The pixels of a page of this size in points at 300 to the inch, or as many as `pixelLimit` allows; no fewer than points.
    package func finelyDrawn(pixelLimit: Int) -> PixelSize {
        let most = (Double(pixelLimit) / (Double(widthPx) * Double(heightPx))).squareRoot()
        let factor = max(1, min(300.0 / 72, most))
        func side(_ points: Int) -> Int { Int(held: (Double(points) * factor).rounded(), in: 1...Int(Int32.max)) }
        return PixelSize(widthPx: side(widthPx), heightPx: side(heightPx))
    }
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
