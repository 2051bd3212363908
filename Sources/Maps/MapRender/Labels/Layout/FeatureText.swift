import MapStyle

struct FeatureText: Sendable {
    struct Justified: Sendable {
        var justify: TextJustify
        var shaped: ShapedText
    }

    /// One for each justification, or one for all when it is a single line.
    private(set) var horizontal: [Justified] = []
    private(set) var justifications: [TextJustify] = []
    private(set) var vertical: ShapedText?
    /// 1/24 em.
    let offset: SymbolVector
    let anchorOffsets: [TextAnchorOffset]

    /// From its anchor in 1/24 em, however it is turned or moved.
    var reach: Double {
        var extent = 0.0
        for box in horizontal.map(\.shaped.box) + (vertical.map { [$0.box] } ?? []) {
            var radius = max(abs(box.left), abs(box.right)) + max(abs(box.top), abs(box.bottom))
            if !anchorOffsets.isEmpty { radius += box.right - box.left + box.bottom - box.top }
            extent = max(extent, radius)
        }
        let moved = anchorOffsets.map { abs($0.offset.x) + abs($0.offset.y) }.max() ?? 0
        return extent + moved + abs(offset.x) + abs(offset.y)
    }

    var byteCount: Int {
        let texts = horizontal.map(\.shaped) + (vertical.map { [$0] } ?? [])
        return texts.reduce(96 + anchorOffsets.count * MemoryLayout<TextAnchorOffset>.stride) { $0 + 16 + $1.byteCount }
    }

    /// nil when nothing of it has a glyph.
    init?(_ text: FormattedText, _ layout: SymbolLayout, layoutSize: Double) {
        let (layer, context, settings) = (layout.layer, layout.context, layout.settings)
        let anchor = layer[.textAnchor].value(context).string.flatMap(SymbolAnchor.init) ?? .center
        anchorOffsets = Self.anchorOffsets(layer, context)
        offset = anchorOffsets.isEmpty ? Self.offset(anchor, layer, context) : .zero
        let plain = text.text
        var base = Self.textLayout(plain, layout, layoutSize: layoutSize)
        base.anchor = anchor
        base.offsetX = offset.x
        base.offsetY = offset.y
        let followsLine = settings.followsLine
        let named = layer[.textJustify].value(context).string.flatMap(TextJustify.init)
        let stated = followsLine ? TextJustify.center : named
        let shaper = layout.frame.shaper
        if !followsLine, !anchorOffsets.isEmpty {
            justifications = stated.map { [$0] } ?? Self.justifications(anchorOffsets)
            // Texts with variable anchors are shaped around their middle.
            var moved = base
            moved.anchor = .center
            for justify in justifications where horizontal.first?.shaped.lines.count != 1 {
                moved.justify = justify
                if let shaped = shaper.shape(text, moved) {
                    horizontal.append(Justified(justify: justify, shaped: shaped))
                }
            }
        } else {
            base.justify = stated ?? TextOffsets.justify(anchor)
            justifications = [base.justify]
            if let shaped = shaper.shape(text, base) {
                horizontal.append(Justified(justify: base.justify, shaped: shaped))
            }
        }
        if Script.allowsVerticalWriting(plain) {
            base.writingMode = .vertical
            if settings.allowsVerticalPlacement {
                base.justify = .left
                base.allowsVerticalPlacement = true
                vertical = shaper.shape(text, base)
            } else if followsLine, settings.text.keepsUpright {
                vertical = shaper.shape(text, base)
            }
        }
        if horizontal.isEmpty, vertical == nil { return nil }
    }

    private static func textLayout(_ text: String, _ layout: SymbolLayout, layoutSize: Double) -> TextLayout {
        let (layer, context) = (layout.layer, layout.context)
        let em = GlyphImage.em
        var fonts: [String] = []
        if case .array(let names) = layer[.textFont].value(context) { fonts = names.compactMap(\.string) }
        var result = TextLayout(fontStack: fonts.joined(separator: ","), textSize: layoutSize)
        result.textSizeThisZoom = layout.textSize.thisZoom(context)
        result.lineHeight = layer[.textLineHeight].number(context) * em
        result.maxWidth = layout.settings.placement == .point ? layer[.textMaxWidth].number(context) * em : .infinity
        result.spacing = Script.allowsLetterSpacing(text) ? layer[.textLetterSpacing].number(context) * em : 0
        return result
    }

    private static func justifications(_ offsets: [TextAnchorOffset]) -> [TextJustify] {
        var result: [TextJustify] = []
        for justify in offsets.map({ TextOffsets.justify($0.anchor) }) where !result.contains(justify) {
            result.append(justify)
        }
        return result
    }

    private static func offset(
        _ anchor: SymbolAnchor, _ layer: StyleLayer, _ context: EvaluationContext
    ) -> SymbolVector {
        let radial = layer[.textRadialOffset].number(context)
        if radial != 0, radial.isFinite { return TextOffsets.radial(anchor, distance: radial * GlyphImage.em) }
        return SymbolVector(layer[.textOffset].value(context), times: GlyphImage.em)
    }

    private static func anchorOffsets(_ layer: StyleLayer, _ context: EvaluationContext) -> [TextAnchorOffset] {
        if layer.gives(.textVariableAnchorOffset),
            case .anchorOffsets(let offsets) = layer[.textVariableAnchorOffset].value(context)
        {
            return offsets.map(TextOffsets.stated)
        }
        guard layer.gives(.textVariableAnchor), case .array(let names) = layer[.textVariableAnchor].value(context)
        else { return [] }
        let anchors = names.compactMap { $0.string.flatMap(SymbolAnchor.init) }
        if layer.gives(.textRadialOffset) {
            let distance = layer[.textRadialOffset].number(context) * GlyphImage.em
            return anchors.map { TextAnchorOffset(anchor: $0, offset: TextOffsets.radial($0, distance: distance)) }
        }
        let offset = SymbolVector(layer[.textOffset].value(context), times: GlyphImage.em)
        return anchors.map { TextAnchorOffset(anchor: $0, offset: TextOffsets.moved($0, by: offset)) }
    }
}
