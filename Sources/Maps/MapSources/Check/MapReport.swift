package import JSON
import MapStyle

/// What a check found out about a source or a style.
package struct MapReport: Equatable, Sendable {
    package struct Finding: Equatable, Sendable {
        /// Whether it keeps something from being shown; otherwise it is only worth knowing.
        package let isFault: Bool
        /// Where, such as `layers[3] (roads)`; empty for the whole.
        package let path: String
        package let text: String
    }

    /// A source layer of vector tiles.
    package struct Layer: Equatable, Sendable {
        package let name: String
        /// The levels it was found in, or is declared for.
        package let zooms: ClosedRange<Int>?
        /// Features in the checked tiles, by the kind of their geometry.
        package let featureCounts: [String: Int]
        /// The kinds of values of each field.
        package let fields: [String: String]
    }

    package struct Fact: Equatable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    static let notContacted = "it is on another server, which was not contacted"

    /// `archive`, `source`, `style` or `configuration`.
    package let kind: String
    package let name: String
    package var facts: [Fact] = []
    package var layers: [Layer] = []
    package var findings: [Finding] = []

    package var isSound: Bool { findings.allSatisfy { !$0.isFault } }

    init(kind: String, name: String, fault: String? = nil) {
        self.kind = kind
        self.name = name
        if let fault { self.fault(fault) }
    }

    mutating func add(_ name: String, _ value: String?) {
        if let value, !value.isEmpty { facts.append(Fact(name: name, value: .string(value))) }
    }

    mutating func add(_ name: String, _ value: Int) { facts.append(Fact(name: name, value: .number(Double(value)))) }

    mutating func fault(_ text: String, at path: String = "") {
        findings.append(Finding(isFault: true, path: path, text: text))
    }

    mutating func note(_ text: String, at path: String = "") {
        findings.append(Finding(isFault: false, path: path, text: text))
    }
}

extension MapReport {
    /// Lines for people: facts, layers, then findings, faults first.
    package var lines: [String] {
        var lines = ["\(kind) \(name)"]
        let width = facts.map(\.name.count).max() ?? 0
        for fact in facts {
            let text = fact.value.text ?? Value(fact.value).text
            lines.append("  \(fact.name)\(String(repeating: " ", count: width - fact.name.count))  \(text)")
        }
        for layer in layers { lines += Self.lines(layer) }
        for finding in findings.sorted(by: { $0.isFault && !$1.isFault }) {
            let path = finding.path.isEmpty ? "" : finding.path + ": "
            lines.append("  \(finding.isFault ? "fault" : "note ")  \(path)\(finding.text)")
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

    package var json: JSONValue {
        let findings = findings.map { finding in
            JSONValue.make([
                "severity": finding.isFault ? "fault" : "note", "place": .string(finding.path),
                "text": .string(finding.text),
            ])
        }
        return .make([
            "kind": .string(kind), "name": .string(name), "isSound": .boolean(isSound),
            "facts": .object(facts.reduce(into: OrderedObject()) { $0[$1.name] = $1.value }),
            "layers": .array(layers.map(Self.json)), "findings": .array(findings),
        ])
    }

    private static func json(_ layer: Layer) -> JSONValue {
        let zooms = layer.zooms.map { [$0.lowerBound, $0.upperBound].map { JSONValue.number(Double($0)) } }
        return .make([
            "id": .string(layer.name), "zooms": zooms.map(JSONValue.array) ?? .null,
            "features": json(layer.featureCounts) { .number(Double($0)) },
            "fields": json(layer.fields) { .string($0) },
        ])
    }

    private static func json<Entry>(_ entries: [String: Entry], _ value: (Entry) -> JSONValue) -> JSONValue {
        .object(entries.sorted { $0.key < $1.key }.reduce(into: OrderedObject()) { $0[$1.key] = value($1.value) })
    }

    package static func jsonText(_ reports: [MapReport]) -> String {
        let isSound = reports.allSatisfy(\.isSound)
        return Value(.make(["isSound": .boolean(isSound), "reports": .array(reports.map(\.json))])).text
    }
}
