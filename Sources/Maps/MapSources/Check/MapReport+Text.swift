package import JSON
import MapStyle

extension MapReport {
    /// Lines for people: what is known, the layers, and what is wrong, faults first.
    package var lines: [String] {
        var lines = ["\(kind) \(name)"]
        let width = facts.map(\.name.count).max() ?? 0
        for fact in facts {
            let text = fact.value.text ?? Value(fact.value).text
            lines.append("  \(fact.name)\(String(repeating: " ", count: width - fact.name.count))  \(text)")
        }
        for layer in layers { lines += Self.lines(layer) }
        for finding in findings.sorted(by: { $0.isFault && !$1.isFault }) {
            let place = finding.place.isEmpty ? "" : finding.place + ": "
            lines.append("  \(finding.isFault ? "fault" : "note ")  \(place)\(finding.text)")
        }
        if findings.isEmpty { lines.append("  no faults found") }
        return lines
    }

    private static func lines(_ layer: Layer) -> [String] {
        var line = "  layer \(layer.name)"
        if let zooms = layer.zooms { line += ", zooms \(zooms.lowerBound) to \(zooms.upperBound)" }
        let counts = layer.featureCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        line += counts.isEmpty ? ", not in the checked tiles" : ": " + counts.joined(separator: ", ")
        let fields = layer.fields.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        return fields.isEmpty ? [line] : [line, "    " + fields.joined(separator: ", ")]
    }

    /// The same for programs.
    package var json: JSONValue {
        .make([
            "kind": .string(kind), "name": .string(name), "isSound": .boolean(isSound),
            "facts": .object(facts.reduce(into: OrderedObject()) { $0[$1.name] = $1.value }),
            "layers": .array(layers.map(Self.json)),
            "findings": .array(
                findings.map { finding in
                    .make([
                        "severity": .string(finding.isFault ? "fault" : "note"), "place": .string(finding.place),
                        "text": .string(finding.text),
                    ])
                }),
        ])
    }

    private static func json(_ layer: Layer) -> JSONValue {
        var counts = OrderedObject<JSONValue>()
        for (name, count) in layer.featureCounts.sorted(by: { $0.key < $1.key }) {
            counts[name] = .number(Double(count))
        }
        var fields = OrderedObject<JSONValue>()
        for (name, kind) in layer.fields.sorted(by: { $0.key < $1.key }) { fields[name] = .string(kind) }
        return .make([
            "id": .string(layer.name),
            "zooms": layer.zooms.map { .array([.number(Double($0.lowerBound)), .number(Double($0.upperBound))]) }
                ?? .null,
            "features": .object(counts), "fields": .object(fields),
        ])
    }

    /// All of several reports as one JSON text.
    package static func jsonText(_ reports: [MapReport]) -> String {
        Value(
            JSONValue.make([
                "isSound": .boolean(reports.allSatisfy(\.isSound)), "reports": .array(reports.map(\.json)),
            ])
        ).text
    }
}
