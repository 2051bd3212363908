import MapStyle

enum SymbolPart { case icon, text }

struct SymbolSettings: Equatable, Sendable {
    enum Placement: String, Sendable {
        case point, line
        case lineCenter = "line-center"
    }

    enum Alignment: String, Sendable {
        case map, viewport
        /// Along the line, each glyph upright on the picture's plane.
        case viewportGlyph = "viewport-glyph"
    }

    enum Overlap: String, Sendable { case never, always, cooperative }

    enum ZOrder: String, Sendable {
        case auto, source
        case viewportY = "viewport-y"
    }

    struct Part: Equatable, Sendable {
        var rotationAlignment, pitchAlignment: Alignment
        var keepsUpright: Bool
        var overlap: Overlap
        var ignoresPlacement: Bool
        /// The other part may be shown without this one.
        var isOptional: Bool
    }

    var placement: Placement
    var zOrder: ZOrder
    var text: Part
    var icon: Part
    var textPadding: Double
    var writingModes: [WritingMode]
    var hasVariableAnchors: Bool
    var fitsIconsToText: Bool
    var sortsByKey: Bool

    var sortsByY: Bool { (zOrder == .viewportY || zOrder == .auto && !sortsByKey) && canOverlap }

    var canOverlap: Bool {
        text.overlap != .never || icon.overlap != .never || text.ignoresPlacement || icon.ignoresPlacement
    }

    var followsLine: Bool { placement != .point && text.rotationAlignment != .viewport }
    var iconFollowsLine: Bool { placement != .point && icon.rotationAlignment == .map }
    var allowsVerticalPlacement: Bool { placement == .point && writingModes.contains(.vertical) }

    init(_ layer: StyleLayer, _ context: EvaluationContext) {
        func word<Word: RawRepresentable<String>>(_ property: LayerProperty, or other: Word) -> Word {
            layer[property].value(context).string.flatMap(Word.init) ?? other
        }
        func flag(_ property: LayerProperty) -> Bool { layer[property].boolean(context) }
        func overlap(_ property: LayerProperty, _ allow: LayerProperty) -> Overlap {
            word(property, or: flag(allow) ? .always : .never)
        }
        let placement: Placement = word(.symbolPlacement, or: .point)
        let natural: Alignment = placement == .point ? .viewport : .map
        let textRotation: Alignment = word(.textRotationAlignment, or: natural)
        let iconRotation: Alignment = word(.iconRotationAlignment, or: natural)
        self.placement = placement
        zOrder = word(.symbolZOrder, or: .auto)
        text = Part(
            rotationAlignment: textRotation,
            pitchAlignment: word(.textPitchAlignment, or: textRotation == .map ? .map : .viewport),
            keepsUpright: flag(.textKeepUpright), overlap: overlap(.textOverlap, .textAllowOverlap),
            ignoresPlacement: flag(.textIgnorePlacement), isOptional: flag(.textOptional))
        icon = Part(
            rotationAlignment: iconRotation, pitchAlignment: word(.iconPitchAlignment, or: iconRotation),
            keepsUpright: flag(.iconKeepUpright), overlap: overlap(.iconOverlap, .iconAllowOverlap),
            ignoresPlacement: flag(.iconIgnorePlacement), isOptional: flag(.iconOptional))
        textPadding = layer[.textPadding].number(context)
        writingModes = Self.writingModes(placement, layer[.textWritingMode].value(context))
        hasVariableAnchors = layer.gives(.textVariableAnchor) || layer.gives(.textVariableAnchorOffset)
        fitsIconsToText = layer[.iconTextFit].value(context) != .string("none")
        sortsByKey = zOrder != .viewportY && layer.gives(.symbolSortKey) && layer[.symbolSortKey].constant == nil
    }

    /// Each mode once; lines have only the horizontal one here.
    private static func writingModes(_ placement: Placement, _ value: Value) -> [WritingMode] {
        guard placement == .point, case .array(let names) = value, !names.isEmpty else { return [.horizontal] }
        var modes: [WritingMode] = []
        for name in names {
            let mode: WritingMode = name == .string("vertical") ? .vertical : .horizontal
            if !modes.contains(mode) { modes.append(mode) }
        }
        return modes
    }
}
