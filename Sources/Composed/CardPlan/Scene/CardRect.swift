import ImagePlan

/// In CSS pixels from the top left of a card.
package struct CardRect: Equatable, Sendable {
    package var x, y, width, height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package var middleX: Double { x + width / 2 }
    package var middleY: Double { y + height / 2 }
    package var right: Double { x + width }
    package var bottom: Double { y + height }

    func mirrored(in width: Double) -> CardRect {
        CardRect(x: width - right, y: y, width: self.width, height: height)
    }

    func scaled(by factor: Double) -> CardRect {
        CardRect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
    }

    func moved(by offset: SIMD2<Double>) -> CardRect {
        CardRect(x: x + offset.x, y: y + offset.y, width: width, height: height)
    }

    /// The largest of the proportions of `size` in the middle.
    func fitted(_ size: PixelSize) -> CardRect {
        let factor = min(width / Double(size.widthPx), height / Double(size.heightPx))
        let (across, down) = (Double(size.widthPx) * factor, Double(size.heightPx) * factor)
        return CardRect(x: middleX - across / 2, y: middleY - down / 2, width: across, height: down)
    }

    func inset(by margin: Double) -> CardRect {
        CardRect(x: x + margin, y: y + margin, width: max(1, width - 2 * margin), height: max(1, height - 2 * margin))
    }
}
