/// How an image that a map is made of is decoded.
package struct PictureTerms: Sendable {
    /// Of sprites and of sources that are an image.
    package static let imagePixelLimit = 4096 * 4096
    /// Of tiles: 512 CSS pixels at four device pixels each.
    package static let tilePixelLimit = 2048 * 2048

    /// One with more pixels is not decoded.
    package var pixelLimit: Int
    /// Whether nobody wants the map any more. Quick; any thread.
    package var shouldStop: @Sendable () -> Bool

    package init(
        pixelLimit: Int = imagePixelLimit, shouldStop: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.pixelLimit, self.shouldStop) = (pixelLimit, shouldStop)
    }
}
