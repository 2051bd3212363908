import CardGrammar
import Colors
import Parameters

extension CardField.Kind {
    /// As in files.
    var word: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .color: "color"
        case .picture: "picture"
        case .choice: "choice"
        case .style: "style"
        }
    }
}

extension CardField {
    /// The value as canonical requests spell it.
    func parse(_ text: String) throws(Fault) -> String {
        switch kind {
        case .text(let limit): return try CardText.parse(text, limit)
        case .number(let range): return try PlainNumber.decimal(text, in: range).description
        case .color:
            guard let color = Color(text: text) else { throw .malformed(allowed: Color.allowed) }
            return color.canonical
        case .picture:
            guard (1...2048).contains(text.utf8.count) else { throw .malformed(allowed: "the id of an asset") }
            return text
        case .choice(let values):
            guard values.contains(text) else { throw ParameterReader.unlisted(text, among: values) }
            return text
        case .style:
            guard (1...256).contains(text.utf8.count) else { throw .malformed(allowed: "the name of a map style") }
            return text
        }
    }
}
