struct SymbolClaims {
    var boxes: [(box: Box, overlap: SymbolSettings.Overlap)] = []
    var circles: [CollisionGrid.Circle] = []
    var circleOverlap = SymbolSettings.Overlap.never
    private(set) var bounds: Box?

    fileprivate mutating func add(_ box: Box, _ part: SymbolSettings.Part) {
        if !part.ignoresPlacement { boxes.append((box, part.overlap)) }
        grow(box)
    }

    fileprivate mutating func add(_ circles: [CollisionGrid.Circle], _ part: SymbolSettings.Part) {
        circleOverlap = part.overlap
        if !part.ignoresPlacement { self.circles = circles }
        for circle in circles { grow(circle.box) }
    }

    private mutating func grow(_ box: Box) { bounds = bounds?.union(box) ?? box }
}

extension SymbolPlacer {
    func claims(_ instance: SymbolInstance, _ empty: CollisionIndex) -> SymbolClaims {
        var claims = SymbolClaims()
        let (textAnchor, iconAnchor) = (at(instance, textAnchor), at(instance, iconAnchor))
        let icons = [instance.iconBox, instance.verticalIconBox].compactMap { $0 }
        func addIcons(_ shift: SymbolVector?) {
            for icon in icons {
                claims.add(empty.attempt(icon, iconAnchor, shift: shift, overlap: .always).shape, settings.icon)
            }
        }
        addIcons(nil)
        for box in [instance.textBox, instance.verticalTextBox].compactMap({ $0 }) {
            if instance.anchorOffsets.isEmpty {
                claims.add(empty.attempt(box, textAnchor, shift: nil, overlap: .always).shape, settings.text)
            }
            for offset in tile.anchorOffsets(of: instance) {
                let scale = instance.textBoxScale
                let shift = Self.moved(box, offset, scale: scale).shift * scale
                claims.add(empty.attempt(box, textAnchor, shift: shift, overlap: .always).shape, settings.text)
                if settings.fitsIconsToText { addIcons(shift) }
            }
        }
        if instance.usesCollisionCircles, instance.centerJustifiedText >= 0 {
            claims.add(placeAlongLine(instance, empty), settings.text)
        }
        return claims
    }

    func cover(_ claims: SymbolClaims, _ index: inout CollisionIndex) {
        for (box, overlap) in claims.boxes { index.insert(box, overlap: overlap) }
        index.insert(claims.circles, overlap: claims.circleOverlap)
    }

    func anchor(of instance: SymbolInstance, _ index: CollisionIndex) -> ScreenPoint {
        let place = textPlane.projection.point(instance.anchor.x, instance.anchor.y) * (1 / textPlane.pixelRatio)
        return place + ScreenPoint(x: index.padding, y: index.padding)
    }
}
