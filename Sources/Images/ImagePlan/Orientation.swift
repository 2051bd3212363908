// The eight ways to lay a rectangle on itself form the dihedral group D4. EXIF orientation, flip and quarter turns are
// elements of it, so any sequence of them is one element, and an image is turned at most once, after resizing.

/// Mirrors left to right if asked, then turns clockwise by quarters.
package struct Orientation: Hashable, Sendable, Codable {
    package let isMirrored: Bool
    package let quarterTurns: Int

    /// Any number of turns, also negative, is reduced to 0–3.
    package init(isMirrored: Bool, quarterTurns: Int) {
        self.isMirrored = isMirrored
        self.quarterTurns = quarterTurns & 3
    }

    /// Makes an image of this EXIF orientation upright; values outside 1–8 do nothing.
    package init(exif: Int) {
        let place = (1...8).contains(exif) ? exif - 1 : 0
        self.init(isMirrored: [1, 3, 4, 6].contains(place), quarterTurns: [0, 0, 2, 2, 3, 1, 1, 3][place])
    }

    package static let identity = Orientation(isMirrored: false, quarterTurns: 0)

    package static let all: [Orientation] = (0..<8).map { Orientation(isMirrored: $0 >= 4, quarterTurns: $0) }

    package var swapsSides: Bool { quarterTurns & 1 == 1 }

    /// This, then `next`.
    package func followed(by next: Orientation) -> Orientation {
        // Mirroring after a turn is turning the other way after mirroring.
        let turns = next.isMirrored ? next.quarterTurns - quarterTurns : next.quarterTurns + quarterTurns
        return Orientation(isMirrored: isMirrored != next.isMirrored, quarterTurns: turns)
    }

    package var inverse: Orientation {
        Orientation(isMirrored: isMirrored, quarterTurns: isMirrored ? quarterTurns : -quarterTurns)
    }

    package func applied(to size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }

    /// The place of `rect` in an image of `size` after this.
    package func applied(to rect: PixelRect, within size: PixelSize) -> PixelRect {
        let right = size.widthPx - rect.x - rect.widthPx
        let bottom = size.heightPx - rect.y - rect.heightPx
        let (left, farRight) = isMirrored ? (right, rect.x) : (rect.x, right)
        switch quarterTurns {
        case 1: return PixelRect(x: bottom, y: left, widthPx: rect.heightPx, heightPx: rect.widthPx)
        case 2: return PixelRect(x: farRight, y: bottom, widthPx: rect.widthPx, heightPx: rect.heightPx)
        case 3: return PixelRect(x: rect.y, y: farRight, widthPx: rect.heightPx, heightPx: rect.widthPx)
        default: return PixelRect(x: left, y: rect.y, widthPx: rect.widthPx, heightPx: rect.heightPx)
        }
    }
}
