import Bytes
import Raster

/// Images that built-in styles use without a sprite. A style's own images of these names come first.
package enum BuiltInImages {
    /// A round dot with a radius of four CSS pixels, as a signed distance: it takes any color, and a ring by its halo.
    package static let dot = "veduta:dot"

    static let images: [String: StyleImage] = makeDot().map { [dot: $0] } ?? [:]

    private static func makeDot() -> StyleImage? {
        // Distances reach six pixels outwards, as far as halos do.
        let (radius, side) = (4.0, 20)
        let middle = Double(side) / 2
        var texels: [UInt8] = []
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = (Double(column) + 0.5 - middle, Double(row) + 0.5 - middle)
                let outside = (x * x + y * y).squareRoot() - radius
                texels.append(UInt8(held: (192 - outside * 32).rounded(), in: 0...255))
            }
        }
        return Texture(widthPx: side, heightPx: side, format: .alpha, texels: SharedBytes(texels))
            .map { StyleImage(texture: $0, isSDF: true) }
    }
}
