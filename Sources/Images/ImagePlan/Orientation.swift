// The eight ways to lay a rectangle on itself form the dihedral group D4. EXIF orientation, flip and quarter turns are
// each elements of it, so any sequence of them is one element, and a picture is turned at most once, after resizing.

/// Mirrors left to right if asked, then turns clockwise by quarters: any composition of EXIF orientation, flips and
/// rotations by multiples of 90°.
package struct Orientation: Hashable, Sendable {
    /// Whether left and right are exchanged, before turning.
    package let isMirrored: Bool

    /// Clockwise turns by 90° after mirroring, 0–3.
    package let quarterTurns: Int

    /// Makes the element; any number of turns, also negative, is brought into 0–3.
    package init(isMirrored: Bool, quarterTurns: Int) {
        self.isMirrored = isMirrored
        self.quarterTurns = quarterTurns & 3
    }

    /// What makes a picture upright that is stored with this EXIF orientation; values outside 1–8 do nothing, as
    /// readers treat them.
    package init(exif: Int) {
        switch exif {
        case 2: self.init(isMirrored: true, quarterTurns: 0)
        case 3: self.init(isMirrored: false, quarterTurns: 2)
        case 4: self.init(isMirrored: true, quarterTurns: 2)
        case 5: self.init(isMirrored: true, quarterTurns: 3)
        case 6: self.init(isMirrored: false, quarterTurns: 1)
        case 7: self.init(isMirrored: true, quarterTurns: 1)
        case 8: self.init(isMirrored: false, quarterTurns: 3)
        default: self.init(isMirrored: false, quarterTurns: 0)
        }
    }

    package static let identity = Orientation(isMirrored: false, quarterTurns: 0)

    package static let all: [Orientation] = (0..<8).map { Orientation(isMirrored: $0 >= 4, quarterTurns: $0) }

    /// Whether width and height change places.
    package var swapsSides: Bool { quarterTurns & 1 == 1 }

    /// This element, then `next`.
    package func followed(by next: Orientation) -> Orientation {
        // Mirroring after a turn is turning the other way after mirroring.
        let turns = next.isMirrored ? next.quarterTurns - quarterTurns : next.quarterTurns + quarterTurns
        return Orientation(isMirrored: isMirrored != next.isMirrored, quarterTurns: turns)
    }

    /// The element that undoes this one.
    package var inverse: Orientation {
        Orientation(isMirrored: isMirrored, quarterTurns: isMirrored ? quarterTurns : -quarterTurns)
    }

    /// The size of a picture of `size` after this element.
    package func applied(to size: PixelSize) -> PixelSize {
        swapsSides ? size.transposed : size
    }

    /// Where `rect` of a picture of `size` lies after this element.
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
