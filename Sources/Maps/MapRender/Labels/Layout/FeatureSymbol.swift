import MapStyle

/// What a feature shows in a tile, as far as no camera decides about it.
final class FeatureSymbol: Sendable {
    let parts: SymbolParts
    /// What its text lacks.
    let missing: [MissingGlyph]
    /// CSS pixels around it.
    private let padding: Double
    /// From its anchor, at a size of 1: of a text in 1/24 em, of an icon in CSS pixels.
    private let textReach, iconReach: Double

    /// Takes the feature of the layout's context; nil when it has nothing to show and lacks nothing.
    init?(_ feature: SymbolFeature, _ layout: SymbolLayout) {
        let (layer, context) = (layout.layer, layout.context)
        let textSize = layout.textSize.layout(context)
        var parts = SymbolParts(
            featureIndex: feature.index, sortKey: feature.sortKey, layoutTextSize: textSize,
            layoutIconSize: layout.iconSize.layout(context))
        parts.text = feature.text.flatMap { FeatureText($0, layout, layoutSize: textSize) }
        let missing = layout.frame.missing.takeNoted()
        self.missing = missing
        let offset = SymbolVector(layer[.iconOffset].value(context))
        parts.iconOffset = offset
        if let image = feature.icon.flatMap({ layout.frame.images[$0] }) {
            let anchor = layer[.iconAnchor].value(context).string.flatMap(SymbolAnchor.init) ?? .center
            parts.icon = PositionedIcon(image, anchor: anchor, offset: offset)
        }
        if parts.isEmpty {
            if missing.isEmpty { return nil }
            self.parts = parts
            padding = 0
            textReach = 0
            iconReach = 0
            return
        }
        let fit = layer[.iconTextFit].value(context).string.flatMap(PositionedIcon.TextFit.init) ?? .none
        if let plain = parts.icon, fit != .none {
            let padding = Self.fitPadding(layer[.iconTextFitPadding].value(context))
            let scale = textSize / GlyphImage.em
            func fitted(_ text: ShapedText?) -> PositionedIcon? {
                text.map { plain.fitted(to: $0, fit, padding: padding, offset: offset, fontScale: scale) }
            }
            if layout.settings.allowsVerticalPlacement { parts.verticalIcon = fitted(parts.text?.vertical) }
            parts.icon = fitted(parts.text?.horizontal.first?.shaped) ?? plain
        }
        let box = [parts.icon, parts.verticalIcon].compactMap { $0?.box }.map {
            max(abs($0.left), abs($0.right)) + max(abs($0.top), abs($0.bottom))
        }
        self.padding = max(layer[.textPadding].number(context), layout.iconPadding)
        textReach = parts.text?.reach ?? 0
        iconReach = box.max() ?? 0
        self.parts = parts
    }

    private static func fitPadding(_ value: Value) -> Padding {
        if case .array(let sides) = value, let padding = Padding(sides.compactMap(\.number)) { return padding }
        return Padding(top: 0, right: 0, bottom: 0, left: 0)
    }

    /// CSS pixels that it may reach from its anchor in the picture. The layout's context is at its feature.
    func extent(_ layout: SymbolLayout) -> Double {
        let context = layout.context
        let text = textReach * max(parts.layoutTextSize, layout.textSize.drawn(context)) / GlyphImage.em
        let icon = iconReach * max(parts.layoutIconSize, layout.iconSize.drawn(context))
        return padding * 2 + text + icon
    }

    /// Glyphs and images are shared, and not counted.
    var byteCount: Int { 128 + MemoryLayout<SymbolParts>.stride + missing.count * 48 + (parts.text?.byteCount ?? 0) }
}

extension SymbolVector {
    init(_ value: Value, times factor: Double = 1) {
        let point = ScreenPoint(value).flatMap { $0.x.isFinite && $0.y.isFinite ? $0 : nil } ?? .zero
        self.init(x: point.x * factor, y: point.y * factor)
    }
}
