/// The point of an image that crops keep, in millionths of the sides of the upright image.
package struct StoredFocalPoint: Equatable, Sendable {
    package let xMillionths: Int
    package let yMillionths: Int

    package static let sides: ClosedRange<Int64> = 0...1_000_000

    /// nil beyond the image.
    package init?(xMillionths: Int64, yMillionths: Int64) {
        guard Self.sides.contains(xMillionths), Self.sides.contains(yMillionths) else { return nil }
        (self.xMillionths, self.yMillionths) = (Int(xMillionths), Int(yMillionths))
    }
}
