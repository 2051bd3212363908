import JSON

package enum LayerKind: String, CaseIterable, Sendable {
    case background, fill, line, symbol, circle, heatmap
    case fillExtrusion = "fill-extrusion"
    case raster, hillshade
    case colorRelief = "color-relief"
}

enum PropertySection: String, Sendable { case layout, paint, light }

enum PropertyTable {
    struct Row: Sendable {
        var property: LayerProperty
        var section: PropertySection
        var name: String
        var specification: PropertySpecification
    }

    /// The properties by kind of layer; those of light are under `light`.
    static let groups: [String: [Row]] = {
        var groups: [String: [Row]] = [:]
        for (text, property) in zip(LayerProperty.rows.split(separator: "\n"), LayerProperty.allCases) {
            let fields = text.split(separator: "|", omittingEmptySubsequences: false).map { field in
                String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            guard fields.count == 9, let section = PropertySection(rawValue: fields[1]) else { continue }
            let row = Row(property: property, section: section, name: fields[2], specification: specification(fields))
            groups[fields[0], default: []].append(row)
        }
        return groups
    }()

    static let visibility = PropertySpecification(.word(["visible", "none"]), defaultValue: "visible")

    private static func specification(_ fields: [String]) -> PropertySpecification {
        let words = fields[7].split(separator: ",").map(String.init)
        return PropertySpecification(
            type(fields[3], words: words), defaultValue: try? JSONReader.read(fields[8]),
            allowsZoom: fields[4].contains("z"),
            allowsFeature: fields[4].contains("f"), isInterpolated: fields[4].contains("i"),
            hasTokens: fields[4].contains("t"), minimum: Double(fields[5]), maximum: Double(fields[6]))
    }

    private static func type(_ name: String, words: [String]) -> PropertyType {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts[0] == "array" {
            if parts[1] == "enum" { return .words(words) }
            return .value(.array(parts[1] == "number" ? .number : .string, count: Int(parts[2])))
        }
        return name == "enum" ? .word(words) : types[name].map(PropertyType.value) ?? .any
    }

    private static let types: [String: ValueType] = {
        let all: [ValueType] = [
            .number, .string, .boolean, .color, .formatted, .padding, .numberArray, .colorArray, .resolvedImage,
            .projectionDefinition, .variableAnchorOffsetCollection,
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()
}
