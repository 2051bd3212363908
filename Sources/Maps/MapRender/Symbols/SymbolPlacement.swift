import MapStyle

/// What placement decided about an instance.
struct InstancePlacement: Equatable, Sendable {
    /// Whether the text is shown.
    var showsText = false
    /// Whether the icon is shown.
    var showsIcon = false
    /// How the text runs that found room; nil for texts along lines and for those without room.
    var orientation: SymbolOrientation?
    /// Where a movable text found room.
    var moved: MovedText?
}

/// The place that a movable text found.
struct MovedText: Equatable, Sendable {
    /// The part of the text that is at its anchor.
    var anchor: SymbolAnchor
    /// From the anchor to the middle of the text, in 1/24 em.
    var shift: SymbolVector
}

/// What was decided about an instance, and what it covers so that others keep clear of it.
struct SymbolDecision: Equatable, Sendable {
    var placement = InstancePlacement()
    /// What the text covers.
    var text: CollisionGrid.Box?
    /// What the icon covers.
    var icon: CollisionGrid.Box?
    /// What a text along its line covers.
    var circles: [CollisionGrid.Circle] = []
}

/// Places the symbols of one tile of a layer, in the order it is asked to.
struct SymbolPlacer {
    let tile: SymbolTile
    let settings: SymbolSettings
    let textPlane: LabelPlane
    let textStand: CollisionIndex.Stand
    let iconStand: CollisionIndex.Stand
    private let alwaysShowsText: Bool
    private let alwaysShowsIcon: Bool

    /// A placer for `tile`; the translations are the layer's, in units of the tile.
    init(
        _ tile: SymbolTile, _ view: View, textTranslation: ScreenPoint, iconTranslation: ScreenPoint
    ) {
        self.tile = tile
        settings = tile.settings
        let text = tile.settings.text
        let projection = view.projection(of: tile.tile)
        func plane(_ translation: ScreenPoint) -> LabelPlane {
            // What icons cover is turned as texts are.
            LabelPlane(
                view, projection, pitchAlignment: text.pitchAlignment, rotationAlignment: text.rotationAlignment,
                translation: translation)
        }
        func stand(_ plane: LabelPlane) -> CollisionIndex.Stand {
            CollisionIndex.Stand(
                plane: plane, anchor: SymbolPosition(x: 0, y: 0), scale: 1 / tile.tilePixelRatio,
                turnsWithMap: text.rotationAlignment == .map, liesOnMap: plane.isGround)
        }
        textPlane = plane(textTranslation)
        textStand = stand(textPlane)
        iconStand = stand(plane(iconTranslation))
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

    /// What an instance would show and cover where `index` says what is covered already.
    func decide(_ instance: SymbolInstance, _ index: CollisionIndex) -> SymbolDecision {
        var result = InstancePlacement()
        var decision = SymbolDecision()
        var textStand = textStand
        textStand.anchor = instance.anchor
        let text = placeText(instance, textStand, index, &result)
        var hasText = text.trial?.isFree ?? false
        var circles: [CollisionGrid.Circle]?
        if instance.usesCollisionCircles, instance.centerJustifiedText >= 0 {
            circles = placeAlongLine(instance, index)
            hasText = settings.text.overlap == .always || !(circles ?? []).isEmpty
        }
        var iconTrial: CollisionIndex.Trial<CollisionGrid.Box>?
        if let box = instance.iconBox {
            let isVertical = result.orientation == .vertical && hasText
            var stand = iconStand
            stand.anchor = instance.anchor
            iconTrial = index.attempt(
                isVertical ? instance.verticalIconBox ?? box : box, stand,
                shift: settings.fitsIconsToText ? text.shift : nil, overlap: settings.icon.overlap)
        }
        var hasIcon = iconTrial?.isFree ?? false
        let iconStandsAlone = settings.text.isOptional || !instance.hasText
        let textStandsAlone = settings.icon.isOptional || !instance.hasIcon
        if !textStandsAlone { hasText = hasIcon && hasText }
        if !iconStandsAlone { hasIcon = hasIcon && hasText }
        if hasText, let box = text.trial, box.isFree, !settings.text.ignoresPlacement {
            decision.text = box.shape
        }
        if hasIcon, let box = iconTrial, box.isFree, !settings.icon.ignoresPlacement {
            decision.icon = box.shape
        }
        if hasText, let circles, !settings.text.ignoresPlacement { decision.circles = circles }
        result.showsText = hasText || alwaysShowsText
        result.showsIcon = hasIcon || alwaysShowsIcon
        decision.placement = result
        return decision
    }

    /// Covers what a decision says.
    func cover(_ decision: SymbolDecision, _ index: inout CollisionIndex) {
        if let text = decision.text { index.insert(text, overlap: settings.text.overlap) }
        if let icon = decision.icon { index.insert(icon, overlap: settings.icon.overlap) }
        index.insert(decision.circles, overlap: settings.text.overlap)
    }

    /// The last place that was tried for a text, and how far it was moved there.
    private struct TextTrial {
        var trial: CollisionIndex.Trial<CollisionGrid.Box>?
        var shift: SymbolVector?
    }

    private func placeText(
        _ instance: SymbolInstance, _ stand: CollisionIndex.Stand, _ index: CollisionIndex,
        _ result: inout InstancePlacement
    ) -> TextTrial {
        guard let box = instance.textBox else { return TextTrial() }
        guard settings.allowsVerticalPlacement, instance.verticalText >= 0, let vertical = instance.verticalTextBox
        else { return placeText(instance, box, instance.iconBox, .horizontal, stand, index, &result) }
        var last = TextTrial()
        for mode in settings.writingModes {
            if mode == .vertical {
                last = placeText(instance, vertical, instance.verticalIconBox, .vertical, stand, index, &result)
            } else {
                last = placeText(instance, box, instance.iconBox, .horizontal, stand, index, &result)
            }
            if last.trial?.isFree ?? false { break }
        }
        return last
    }

    private func placeText(
        _ instance: SymbolInstance, _ box: CollisionBox, _ iconBox: CollisionBox?, _ orientation: SymbolOrientation,
        _ stand: CollisionIndex.Stand, _ index: CollisionIndex, _ result: inout InstancePlacement
    ) -> TextTrial {
        if instance.anchorOffsets.isEmpty {
            let trial = index.attempt(box, stand, shift: nil, overlap: settings.text.overlap)
            if trial.isFree { result.orientation = orientation }
            return TextTrial(trial: trial)
        }
        var iconStand = iconStand
        iconStand.anchor = instance.anchor
        // First without overlapping anything, then as the layer allows.
        let passes: [SymbolSettings.Overlap] =
            settings.text.overlap == .never ? [.never] : [.never, settings.text.overlap]
        for overlap in passes {
            for offset in tile.anchorOffsets[
                Int(instance.anchorOffsets.lowerBound)..<Int(instance.anchorOffsets.upperBound)]
            {
                let scale = instance.textBoxScale
                let moved = Self.moved(box, offset, scale: scale)
                let shift = SymbolVector(x: moved.shift.x * scale, y: moved.shift.y * scale)
                let trial = index.attempt(box, stand, shift: shift, overlap: overlap)
                if !trial.isFree { continue }
                if settings.fitsIconsToText, settings.icon.overlap == .never, let iconBox,
                    !index.attempt(iconBox, iconStand, shift: shift, overlap: overlap).isFree
                {
                    continue
                }
                result.moved = moved
                result.orientation = orientation
                return TextTrial(trial: trial, shift: shift)
            }
        }
        return TextTrial()
    }

    /// A text with a box as `offset` says.
    static func moved(_ box: CollisionBox, _ offset: TextAnchorOffset, scale: Double) -> MovedText {
        let alignment = offset.anchor.alignment
        let unit = scale > 0 ? 1 / scale : 0
        return MovedText(
            anchor: offset.anchor,
            shift: SymbolVector(
                x: (0.5 - alignment.horizontal) * (box.x2 - box.x1) * unit + offset.offset.x,
                y: (0.5 - alignment.vertical) * (box.y2 - box.y1) * unit + offset.offset.y))
    }

    /// The circles of a text along its line; empty where it collides or has no room.
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
