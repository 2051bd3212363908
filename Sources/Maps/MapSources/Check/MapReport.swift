package import JSON

/// What a check found out about a source or a style.
package struct MapReport: Equatable, Sendable {
    /// Something that is not as it should be.
    package struct Finding: Equatable, Sendable {
        /// Whether it keeps something from being shown; else it is worth knowing.
        package let isFault: Bool
        /// Where, such as `layers[3] (roads)`; empty for all of it.
        package let place: String
        package let text: String
    }

    /// A source layer of vector tiles, as it was found.
    package struct Layer: Equatable, Sendable {
        package let name: String
        /// The levels that it was found in, or was said to be in.
        package let zooms: ClosedRange<Int>?
        /// Features in the tiles that were looked at, by the kind of their geometry.
        package let featureCounts: [String: Int]
        /// The kinds of values of each field.
        package let fields: [String: String]
    }

    /// What was looked at: `archive`, `source`, `style`.
    package let kind: String
    /// Its name or path.
    package let name: String
    /// What is known of it: names and values, in an order for people.
    package var facts: [Fact] = []
    /// The layers of vector tiles.
    package var layers: [Layer] = []
    package var findings: [Finding] = []

    package struct Fact: Equatable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    /// Whether nothing is wrong that keeps something from being shown.
    package var isSound: Bool { findings.allSatisfy { !$0.isFault } }

    init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }

    mutating func add(_ name: String, _ value: String?) {
        if let value, !value.isEmpty { facts.append(Fact(name: name, value: .string(value))) }
    }

    mutating func add(_ name: String, _ value: Int) { facts.append(Fact(name: name, value: .number(Double(value)))) }

    mutating func fault(_ place: String, _ text: String) {
        findings.append(Finding(isFault: true, place: place, text: text))
    }

    mutating func notice(_ place: String, _ text: String) {
        findings.append(Finding(isFault: false, place: place, text: text))
    }
}
