import MapStyle

/// The two parts of a symbol.
enum SymbolPart {
    case icon
    case text
}

/// What a symbol layer says for all of its features, at the level of the picture; `auto` is made up here.
struct SymbolSettings: Equatable, Sendable {
    /// Where symbols stand on a feature.
    enum Placement: String, Sendable {
        case point
        case line
        case lineCenter = "line-center"
    }

    /// What symbols lie against or turn with.
    enum Alignment: String, Sendable {
        case map
        case viewport
        /// Along the line, each glyph upright on the picture's plane.
        case viewportGlyph = "viewport-glyph"
    }

    /// What happens where symbols meet.
    enum Overlap: String, Sendable {
        case never
        case always
        /// With others that are cooperative too.
        case cooperative
    }

    /// What is drawn over what.
    enum ZOrder: String, Sendable {
        case auto
        case viewportY = "viewport-y"
        case source
    }

    /// What holds for the text or for the icon.
    struct Part: Equatable, Sendable {
        var rotationAlignment: Alignment
        var pitchAlignment: Alignment
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
    /// CSS pixels around texts.
    var textPadding: Double
    /// Whether vertical texts are tried for points, and before horizontal ones.
    var writingModes: [WritingMode]
    /// Whether texts are moved about until they find room.
    var hasVariableAnchors: Bool
    /// Whether icons are sized to texts.
    var fitsIconsToText: Bool
    /// Whether features come in the order of their sort keys.
    var sortsByKey: Bool

    /// Whether what is lower on the picture is drawn over what is higher.
    var sortsByY: Bool {
        let isByY = zOrder == .viewportY || (zOrder == .auto && !sortsByKey)
        return isByY && canOverlap
    }

    /// Whether a symbol may come to lie over another.
    var canOverlap: Bool {
        text.overlap != .never || icon.overlap != .never || text.ignoresPlacement || icon.ignoresPlacement
    }

    var followsLine: Bool { placement != .point && text.rotationAlignment != .viewport }
    var iconFollowsLine: Bool { placement != .point && icon.rotationAlignment == .map }
    /// Whether there are vertical texts at points.
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
        let key = layer[.symbolSortKey]
        sortsByKey = zOrder != .viewportY && layer.gives(.symbolSortKey) && key.constant == nil
    }

    /// The modes that a layer names, each once; lines have only the horizontal one here.
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
