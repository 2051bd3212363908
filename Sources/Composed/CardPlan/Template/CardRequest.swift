import CardGrammar
import Colors
package import ImagePlan
package import Parameters

/// A validated request for a card.
package struct CardRequest: Sendable {
    package let template: CardTemplate
    /// Of fields, as canonical requests spell them; those that are not given are as the template says, or absent.
    package var values: [String: String] = [:]
    /// Device pixels per CSS pixel, 1…4.
    package var scale: PlainDecimal = 1
    package var encoding = DrawnEncoding()
    /// Whether the price and times are wanted instead of the image.
    package var isExplained = false

    package static let bodyByteLimit = 256 << 10

    package func value(_ name: String) -> String? { values[name] ?? template.field(name)?.usual }

    func color(_ value: CardValue<Color>) -> Color? {
        switch value {
        case .fixed(let color): color
        case .field(let name): self.value(name).flatMap { Color(text: $0) }
        }
    }

    func number(_ value: CardValue<PlainDecimal>) -> PlainDecimal? {
        switch value {
        case .fixed(let number): number
        case .field(let name): self.value(name).flatMap { try? PlainNumber.decimal($0) }
        }
    }

    func text(_ value: CardValue<String>) -> String? {
        switch value {
        case .fixed(let text): text
        case .field(let name): self.value(name)
        }
    }

    /// Whether nothing shines through the card.
    package var isOpaque: Bool { template.background.colors.allSatisfy { color($0)?.isOpaque ?? false } }

    /// The canonical text: the template, fields by their names, then what all cards have; no defaults.
    package var canonical: String { CanonicalQuery(canonicalItems).text }

    package func canonical(byteLimit: Int) -> String? { CanonicalQuery.text(canonicalItems, byteLimit: byteLimit) }

    private var canonicalItems: [QueryItem] {
        var items = [QueryItem(name: "template", value: template.name)]
        items += values.filter { template.field($0.key)?.usual != $0.value }.sorted { $0.key < $1.key }
            .map { QueryItem(name: $0.key, value: $0.value) }
        if scale != 1 { items.append(QueryItem(name: "scale", value: scale.description)) }
        items += encoding.canonicalItems
        if isExplained { items.append(QueryItem(name: "explain", value: "1")) }
        return items
    }
}

extension CardRequest {
    /// Throws all faults at once, in the order of the URL.
    package static func parse(_ items: [QueryItem], _ templates: CardTemplates) throws(ParameterFaults) -> CardRequest {
        let template = try template(of: items, templates)
        var reader = ParameterReader(items, table: template.table)
        var request = CardRequest(template: template)
        for field in template.fields {
            if field.isRequired { reader.require(field.name) }
            let value = reader.value(field.name) { text throws(Fault) in try field.parse(text) }
            if let value { request.values[field.name] = value }
        }
        request.scale = reader.decimal("scale", 1...4) ?? 1
        for side in [template.widthPx, template.heightPx] {
            guard let device = request.scale.multiplied(by: side), device > CardTemplate.sideLimitPx else { continue }
            reader.refuse(
                "scale",
                .outOfRange(allowed: "small enough for sides × scale of at most \(CardTemplate.sideLimitPx) pixels"))
            break
        }
        request.encoding = DrawnEncoding(&reader)
        request.isExplained = reader.flag("explain") ?? false
        try reader.finish()
        return request
    }

    /// For `POST`, whose content has the parameters as members of an object.
    package static func items(ofBody bytes: [UInt8], _ templates: CardTemplates) throws(ParameterFaults) -> [QueryItem]
    {
        var form = JSONItems.Form()
        form.byteLimit = bodyByteLimit
        form.itemLimit = QueryItems.countLimit
        form.ignoresUnknown = true
        let named = try JSONItems.read(bytes, table: nameTable, form)
        form.ignoresUnknown = false
        return try JSONItems.read(bytes, table: try template(of: named, templates).table, form)
    }

    private static let nameTable = ParameterTable([.init("template")])

    /// Without it nobody knows which names are parameters, so it is judged alone.
    private static func template(of items: [QueryItem], _ templates: CardTemplates) throws(ParameterFaults)
        -> CardTemplate
    {
        var reader = ParameterReader(items.filter { $0.name == "template" }, table: nameTable)
        reader.require("template")
        let template = reader.value("template") { text throws(Fault) in try templates.parse(text) }
        try reader.finish()
        guard let template else {
            throw ParameterFaults([ParameterFault(parameter: "template", value: "", reason: .missing)])
        }
        return template
    }

    /// The query that a signature covers, which follows from the URL alone: fields are as they were written, by their names, as who
    /// signs need not know the template.
    package static func signedQuery(of items: [QueryItem]) throws(ParameterFaults) -> String {
        let common = ParameterTable(CardTemplate.commonParameters)
        var reader = ParameterReader(items.filter { common.parameter(named: $0.name) != nil }, table: common)
        let scale = reader.decimal("scale", 1...4) ?? 1
        let encoding = DrawnEncoding(&reader)
        let isExplained = reader.flag("explain") ?? false
        try reader.finish()
        let given = items.filter { common.parameter(named: $0.name) == nil && !$0.value.isEmpty }
        let fields = given.filter { $0.name != "template" }.enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
        var signed = given.filter { $0.name == "template" } + fields
        if scale != 1 { signed.append(QueryItem(name: "scale", value: scale.description)) }
        signed += encoding.canonicalItems
        if isExplained { signed.append(QueryItem(name: "explain", value: "1")) }
        return CanonicalQuery(signed).text
    }
}
