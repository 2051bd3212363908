import MapStyle

struct InstancePlacement: Equatable, Sendable {
    var showsText = false
    var showsIcon = false
    /// nil for texts along lines or without room.
    var orientation: SymbolOrientation?
    var moved: MovedText?
}

struct MovedText: Equatable, Sendable {
    var anchor: SymbolAnchor
    /// From the anchor to the middle of the text, in 1/24 em.
    var shift: SymbolVector
}

struct SymbolDecision: Equatable, Sendable {
    var placement = InstancePlacement()
    var text: Box?
    var icon: Box?
    var circles: [CollisionGrid.Circle] = []
}

struct SymbolPlacer {
    let tile: SymbolTile
    let settings: SymbolSettings
    let textPlane: LabelPlane
    let textAnchor: CollisionIndex.Anchor
    let iconAnchor: CollisionIndex.Anchor
    private let alwaysShowsText, alwaysShowsIcon: Bool

    init(_ tile: SymbolTile, _ view: View, textTranslation: ScreenPoint, iconTranslation: ScreenPoint) {
        self.tile = tile
        settings = tile.settings
        let text = tile.settings.text
        let projection = view.projection(of: tile.tile)
        func plane(_ translation: ScreenPoint) -> LabelPlane {
            LabelPlane(
                view, projection, pitchAlignment: text.pitchAlignment, rotationAlignment: text.rotationAlignment,
                translation: translation)
        }
        func anchor(_ plane: LabelPlane) -> CollisionIndex.Anchor {
            CollisionIndex.Anchor(
                plane: plane, position: SymbolPosition(x: 0, y: 0), scale: 1 / tile.tilePixelRatio,
                turnsWithMap: text.rotationAlignment == .map, liesOnMap: plane.isGround)
        }
        textPlane = plane(textTranslation)
        textAnchor = anchor(textPlane)
        iconAnchor = anchor(plane(iconTranslation))
        let textAlways = settings.text.overlap == .always
        let iconAlways = settings.icon.overlap == .always
        alwaysShowsText =
            textAlways && (iconAlways || settings.icon.isOptional || !tile.symbols.contains { $0.orientation == .none })
        alwaysShowsIcon =
            iconAlways && (textAlways || settings.text.isOptional || !tile.symbols.contains { $0.orientation != .none })
    }

    func place(_ instance: SymbolInstance, _ index: inout CollisionIndex) -> InstancePlacement {
        let decision = decide(instance, index)
        cover(decision, &index)
        return decision.placement
    }

    /// What an instance would show and cover beside what `index` holds.
    func decide(_ instance: SymbolInstance, _ index: CollisionIndex) -> SymbolDecision {
        var result = InstancePlacement()
        var decision = SymbolDecision()
        let text = placeText(instance, index, &result)
        var hasText = text.trial?.isFree ?? false
        var circles: [CollisionGrid.Circle]?
        if instance.usesCollisionCircles, instance.centerJustifiedText >= 0 {
            circles = placeAlongLine(instance, index)
            hasText = settings.text.overlap == .always || !(circles ?? []).isEmpty
        }
        var iconTrial: CollisionIndex.Trial<Box>?
        if let box = instance.iconBox {
            let isVertical = result.orientation == .vertical && hasText
            iconTrial = index.attempt(
                isVertical ? instance.verticalIconBox ?? box : box, at(instance, iconAnchor),
                shift: settings.fitsIconsToText ? text.shift : nil, overlap: settings.icon.overlap)
        }
        var hasIcon = iconTrial?.isFree ?? false
        let iconStandsAlone = settings.text.isOptional || !instance.hasText
        let textStandsAlone = settings.icon.isOptional || !instance.hasIcon
        if !textStandsAlone { hasText = hasIcon && hasText }
        if !iconStandsAlone { hasIcon = hasIcon && hasText }
        if hasText, let box = text.trial, box.isFree, !settings.text.ignoresPlacement { decision.text = box.shape }
        if hasIcon, let box = iconTrial, box.isFree, !settings.icon.ignoresPlacement { decision.icon = box.shape }
        if hasText, let circles, !settings.text.ignoresPlacement { decision.circles = circles }
        result.showsText = hasText || alwaysShowsText
        result.showsIcon = hasIcon || alwaysShowsIcon
        decision.placement = result
        return decision
    }

    func cover(_ decision: SymbolDecision, _ index: inout CollisionIndex) {
        if let text = decision.text { index.insert(text, overlap: settings.text.overlap) }
        if let icon = decision.icon { index.insert(icon, overlap: settings.icon.overlap) }
        index.insert(decision.circles, overlap: settings.text.overlap)
    }

    private struct TextTrial {
        var trial: CollisionIndex.Trial<Box>?
        var shift: SymbolVector?
    }

    private struct TextForm {
        var box: Box
        var iconBox: Box?
        var orientation: SymbolOrientation
    }

    private func placeText(
        _ instance: SymbolInstance, _ index: CollisionIndex, _ result: inout InstancePlacement
    ) -> TextTrial {
        guard let box = instance.textBox else { return TextTrial() }
        let horizontal = TextForm(box: box, iconBox: instance.iconBox, orientation: .horizontal)
        guard settings.allowsVerticalPlacement, instance.verticalText >= 0, let box = instance.verticalTextBox
        else { return place(horizontal, of: instance, index, &result) }
        let vertical = TextForm(box: box, iconBox: instance.verticalIconBox, orientation: .vertical)
        var last = TextTrial()
        for mode in settings.writingModes {
            last = place(mode == .vertical ? vertical : horizontal, of: instance, index, &result)
            if last.trial?.isFree ?? false { break }
        }
        return last
    }

    private func place(
        _ text: TextForm, of instance: SymbolInstance, _ index: CollisionIndex, _ result: inout InstancePlacement
    ) -> TextTrial {
        let textAnchor = at(instance, textAnchor)
        let offsets = tile.anchorOffsets(of: instance)
        if offsets.isEmpty {
            let trial = index.attempt(text.box, textAnchor, shift: nil, overlap: settings.text.overlap)
            if trial.isFree { result.orientation = text.orientation }
            return TextTrial(trial: trial)
        }
        let iconAnchor = at(instance, iconAnchor)
        // First without overlapping anything, then as the layer allows.
        let passes: [SymbolSettings.Overlap] =
            settings.text.overlap == .never ? [.never] : [.never, settings.text.overlap]
        for overlap in passes {
            for offset in offsets {
                let moved = Self.moved(text.box, offset, scale: instance.textBoxScale)
                let shift = moved.shift * instance.textBoxScale
                let trial = index.attempt(text.box, textAnchor, shift: shift, overlap: overlap)
                if !trial.isFree { continue }
                if settings.fitsIconsToText, settings.icon.overlap == .never, let iconBox = text.iconBox,
                    !index.attempt(iconBox, iconAnchor, shift: shift, overlap: overlap).isFree
                {
                    continue
                }
                result.moved = moved
                result.orientation = text.orientation
                return TextTrial(trial: trial, shift: shift)
            }
        }
        return TextTrial()
    }

    func at(_ instance: SymbolInstance, _ anchor: CollisionIndex.Anchor) -> CollisionIndex.Anchor {
        var anchor = anchor
        anchor.position = instance.anchor
        return anchor
    }

    static func moved(_ box: Box, _ offset: TextAnchorOffset, scale: Double) -> MovedText {
        let alignment = offset.anchor.alignment
        let unit = scale > 0 ? 1 / scale : 0
        return MovedText(
            anchor: offset.anchor,
            shift: SymbolVector(
                x: (0.5 - alignment.horizontal) * (box.right - box.left) * unit + offset.offset.x,
                y: (0.5 - alignment.vertical) * (box.bottom - box.top) * unit + offset.offset.y))
    }

    func placeAlongLine(_ instance: SymbolInstance, _ index: CollisionIndex) -> [CollisionGrid.Circle] {
        let symbol = tile.symbols[Int(instance.centerJustifiedText)]
        let place = textPlane.onPicture(symbol.anchor.x, symbol.anchor.y)
        guard place.distance > 0 else { return [] }
        let ratio = textPlane.perspectiveRatio(distance: place.distance)
        let size = textPlane.isGround ? symbol.size / ratio : symbol.size * ratio
        var label = LineLabel(symbol, tile, textPlane, fontScale: size / 24)
        let trial = index.attempt(
            &label, textPlane, anchor: symbol.anchor, diameter: instance.collisionCircleDiameter,
            margin: settings.textPadding, overlap: settings.text.overlap)
        return trial?.shape ?? []
    }
}
