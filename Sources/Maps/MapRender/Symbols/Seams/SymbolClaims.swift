/// All that an instance may come to cover, wherever it finds room.
struct SymbolClaims {
    /// What others keep clear of.
    var boxes: [(box: CollisionGrid.Box, overlap: SymbolSettings.Overlap)] = []
    /// The same along a line.
    var circles: [CollisionGrid.Circle] = []
    /// How others may overlap the circles.
    var circleOverlap = SymbolSettings.Overlap.never
    /// The box around all, also of what others need not keep clear of; nil where there is nothing to be shown.
    private(set) var bounds: CollisionGrid.Box?

    fileprivate mutating func add(_ box: CollisionGrid.Box, _ part: SymbolSettings.Part) {
        if !part.ignoresPlacement { boxes.append((box, part.overlap)) }
        grow(box)
    }

    fileprivate mutating func add(_ circles: [CollisionGrid.Circle], _ part: SymbolSettings.Part) {
        circleOverlap = part.overlap
        if !part.ignoresPlacement { self.circles = circles }
        for circle in circles { grow(circle.box) }
    }

    private mutating func grow(_ box: CollisionGrid.Box) { bounds = bounds?.union(box) ?? box }
}

extension SymbolPlacer {
    /// What an instance may come to cover; `empty` is an index without symbols.
    func claims(_ instance: SymbolInstance, _ empty: CollisionIndex) -> SymbolClaims {
        var claims = SymbolClaims()
        var (textStand, iconStand) = (textStand, iconStand)
        textStand.anchor = instance.anchor
        iconStand.anchor = instance.anchor
        let icons = [instance.iconBox, instance.verticalIconBox].compactMap { $0 }
        func addIcons(_ shift: SymbolVector?) {
            for icon in icons {
                claims.add(empty.attempt(icon, iconStand, shift: shift, overlap: .always).shape, settings.icon)
            }
        }
        addIcons(nil)
        for box in [instance.textBox, instance.verticalTextBox].compactMap({ $0 }) {
            if instance.anchorOffsets.isEmpty {
                claims.add(empty.attempt(box, textStand, shift: nil, overlap: .always).shape, settings.text)
            }
            for offset in tile.anchorOffsets[
                Int(instance.anchorOffsets.lowerBound)..<Int(instance.anchorOffsets.upperBound)]
            {
                let scale = instance.textBoxScale
                let moved = Self.moved(box, offset, scale: scale)
                let shift = SymbolVector(x: moved.shift.x * scale, y: moved.shift.y * scale)
                claims.add(empty.attempt(box, textStand, shift: shift, overlap: .always).shape, settings.text)
                if settings.fitsIconsToText { addIcons(shift) }
            }
        }
        if instance.usesCollisionCircles, instance.centerJustifiedText >= 0 {
            claims.add(placeAlongLine(instance, empty), settings.text)
        }
        return claims
    }

    /// Covers all that an instance may come to cover.
    func cover(_ claims: SymbolClaims, _ index: inout CollisionIndex) {
        for (box, overlap) in claims.boxes { index.insert(box, overlap: overlap) }
        index.insert(claims.circles, overlap: claims.circleOverlap)
    }

    /// Where the instance stands on the grid of collisions, without the layer's translation.
    func anchor(of instance: SymbolInstance, _ index: CollisionIndex) -> ScreenPoint {
        let place = textPlane.projection.point(instance.anchor.x, instance.anchor.y) * (1 / textPlane.pixelRatio)
        return place + ScreenPoint(x: index.padding, y: index.padding)
    }
}

extension CollisionGrid.Box {
    /// The box around both.
    func union(_ other: Self) -> Self {
        Self(x1: min(x1, other.x1), y1: min(y1, other.y1), x2: max(x2, other.x2), y2: max(y2, other.y2))
    }

    /// The box so much larger on each side.
    func grown(by length: Double) -> Self {
        Self(x1: x1 - length, y1: y1 - length, x2: x2 + length, y2: y2 + length)
    }

    func moved(_ x: Double, _ y: Double) -> Self { Self(x1: x1 + x, y1: y1 + y, x2: x2 + x, y2: y2 + y) }

    /// Whether the other lies within.
    func contains(_ other: Self) -> Bool { other.x1 >= x1 && other.y1 >= y1 && other.x2 <= x2 && other.y2 <= y2 }

    /// Whether they have something in common, be it a side.
    func touches(_ other: Self) -> Bool { x1 <= other.x2 && y1 <= other.y2 && x2 >= other.x1 && y2 >= other.y1 }
}
