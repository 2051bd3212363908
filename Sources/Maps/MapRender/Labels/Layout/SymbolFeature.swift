import MapStyle

struct SymbolFeature: Sendable {
    var index: Int
    var kind: FeatureKind
    var text: FormattedText?
    var icon: String?
    /// Points, lines or rings; rings repeat their first vertex.
    var lines: [[TileVertex]]
    var sortKey = 0.0
    static let textLimit = 8192

    /// Features with a text or an icon, in the order of the tile. The context is at the tile's level. Throws `cancelled`.
    static func all(
        of layer: StyleLayer, in shown: ShownFeatures, _ frame: Frame, sortsByKey: Bool
    ) throws(MapError) -> [SymbolFeature] {
        guard layer.gives(.textField) || layer.gives(.iconImage) else { return [] }
        let context = frame.context
        var found: [SymbolFeature] = []
        try frame.forEachFeature(of: layer, in: shown) { cursor in
            let text = self.text(layer, context)
            let icon = self.icon(layer, context)
            if text == nil, icon == nil { return }
            let kind = cursor.feature.kind
            var feature = SymbolFeature(
                index: cursor.index, kind: kind, text: text, icon: icon, lines: lines(cursor, kind))
            if sortsByKey { feature.sortKey = layer[.symbolSortKey].number(context) }
            found.append(feature)
        }
        return found
    }

    private static func text(_ layer: StyleLayer, _ context: EvaluationContext) -> FormattedText? {
        guard layer.gives(.textField) else { return nil }
        let formatted: FormattedText
        switch layer[.textField].value(context) {
        case .formatted(let text): formatted = text
        case .null: return nil
        case let value: formatted = FormattedText(value.text)
        }
        guard formatted.sections.contains(where: { !$0.text.isEmpty || $0.image != nil }),
            formatted.sections.reduce(0, { $0 + $1.text.utf8.count + 1 }) <= textLimit
        else { return nil }
        let transform = layer[.textTransform].value(context).string.flatMap(TextTransform.init) ?? .none
        return transform.apply(formatted)
    }

    private static func icon(_ layer: StyleLayer, _ context: EvaluationContext) -> String? {
        guard layer.gives(.iconImage) else { return nil }
        switch layer[.iconImage].value(context) {
        case .image(let image): return image.name
        case .string(let name): return name.isEmpty ? nil : name
        default: return nil
        }
    }

    /// Each point is a part of its own; rings get their first vertex again at the end.
    private static func lines(_ cursor: FeatureCursor, _ kind: FeatureKind) -> [[TileVertex]] {
        if kind == .point {
            return cursor.parts.flatMap { part in cursor.layer.vertices[cursor.layer.part(part)].map { [$0] } }
        }
        return cursor.parts.map { part in
            var line = Array(cursor.layer.vertices[cursor.layer.part(part)])
            if kind == .polygon, let first = line.first { line.append(first) }
            return line
        }
    }
}
