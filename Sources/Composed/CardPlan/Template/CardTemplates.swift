import CardGrammar
import Parameters

/// The templates of a server by their names.
package struct CardTemplates: Equatable, Sendable {
    package static let none = CardTemplates([])

    package let templates: [CardTemplate]

    /// Of equal names the last counts.
    package init(_ templates: [CardTemplate]) {
        var known: [String: CardTemplate] = [:]
        for template in templates { known[template.name] = template }
        self.templates = known.values.sorted { $0.name < $1.name }
    }

    package func named(_ name: String) -> CardTemplate? { templates.first { $0.name == name } }

    func parse(_ name: String) throws(Fault) -> CardTemplate {
        if let template = named(name) { return template }
        let names = templates.map(\.name)
        if let nearest = Suggestion.nearest(to: name, among: names) {
            throw .malformed(allowed: "a template of this server; did you mean `\(nearest)`?")
        }
        throw .malformed(allowed: "a template of this server: \(ParameterReader.list(Array(names.prefix(12))))")
    }
}
