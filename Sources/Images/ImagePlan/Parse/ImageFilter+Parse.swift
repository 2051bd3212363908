import Bytes
import Colors
package import Parameters

extension ImageFilter {
    static let countLimit = 16

    /// Reads filters separated by commas; each is `name`, `name:argument:…` or `name(argument,…)`.
    package static func parseList(_ text: String) throws(ParameterFault.Reason) -> [ImageFilter] {
        var filters: [ImageFilter] = []
        for part in try FilterText.split(text) {
            guard filters.count < countLimit else {
                throw .outOfRange(allowed: "a list of at most \(countLimit) filters")
            }
            filters.append(try parse(part, position: filters.count + 1))
        }
        return filters
    }

    private static func parse(_ text: FilterText, position: Int) throws(ParameterFault.Reason) -> ImageFilter {
        guard let form = FilterForm(rawValue: text.name) else {
            throw .malformed(allowed: FilterForm.list(forUnknown: text.name, at: position))
        }
        var reader = FilterArguments(text.arguments, of: form)
        let filter = try form.filter(&reader)
        try reader.finish()
        return filter
    }
}

struct FilterText: Equatable {
    let name: String
    let arguments: [Substring]

    private static let allowed =
        "a list of filters, each name, name:argument:… or name(argument,…), separated by commas"

    /// Splits the list at commas outside parentheses.
    static func split(_ text: String) throws(ParameterFault.Reason) -> [FilterText] {
        var found: [FilterText] = []
        var start = text.startIndex
        var isInside = false
        for index in text.indices {
            switch text[index] {
            case "(" where !isInside: isInside = true
            case ")" where isInside: isInside = false
            case "(", ")": throw .malformed(allowed: allowed)
            case "," where !isInside:
                found.append(try one(text[start..<index]))
                start = text.index(after: index)
            default: break
            }
        }
        guard !isInside else { throw .malformed(allowed: allowed) }
        found.append(try one(text[start...]))
        return found
    }

    private static func one(_ text: Substring) throws(ParameterFault.Reason) -> FilterText {
        guard let open = text.firstIndex(of: "(") else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            return FilterText(name: String(parts.first ?? ""), arguments: Array(parts.dropFirst()))
        }
        guard text.last == ")" else { throw .malformed(allowed: allowed) }
        let inner = text[text.index(after: open)...].dropLast()
        let arguments = inner.isEmpty ? [] : inner.split(separator: ",", omittingEmptySubsequences: false)
        return FilterText(name: String(text[..<open]), arguments: arguments.map { $0.trimmed { $0 == " " } })
    }
}

struct FilterArguments {
    private var rest: ArraySlice<Substring>
    private let form: FilterForm

    init(_ arguments: [Substring], of form: FilterForm) {
        rest = arguments[...]
        self.form = form
    }

    /// The next number, or the default if there is none; required without a default.
    mutating func number(
        _ range: ClosedRange<PlainDecimal>, default missing: PlainDecimal? = nil
    ) throws(ParameterFault.Reason) -> PlainDecimal {
        guard let text = rest.popFirst() else { return try required(missing) }
        return try PlainNumber.decimal(text, in: range, allowed: form.usage)
    }

    mutating func int(_ range: ClosedRange<Int>, default missing: Int? = nil) throws(ParameterFault.Reason) -> Int {
        guard let text = rest.popFirst() else { return try required(missing) }
        return try PlainNumber.int(text, in: range, allowed: form.usage)
    }

    mutating func color() throws(ParameterFault.Reason) -> Color {
        guard let text = rest.popFirst(), let color = Color(text: String(text)), color.isOpaque else {
            throw .malformed(allowed: form.usage)
        }
        return color
    }

    mutating func look() throws(ParameterFault.Reason) -> ImageFilter.Look {
        guard let text = rest.popFirst(), let look = ImageFilter.Look(rawValue: String(text)) else {
            throw .malformed(allowed: form.usage)
        }
        return look
    }

    /// `filter` of the rectangle that the rest of the arguments names, or of the whole image without any.
    mutating func within(_ filter: ImageFilter) throws(ParameterFault.Reason) -> ImageFilter {
        guard let x = rest.popFirst() else { return filter }
        func length(_ text: Substring?, isSize: Bool) throws(ParameterFault.Reason) -> FilterRegion.Length {
            try .parse(try required(text), isSize: isSize, allowed: form.usage)
        }
        let region = FilterRegion(
            x: try length(x, isSize: false), y: try length(rest.popFirst(), isSize: false),
            width: try length(rest.popFirst(), isSize: true), height: try length(rest.popFirst(), isSize: true))
        return .within(region, filter)
    }

    func finish() throws(ParameterFault.Reason) {
        if !rest.isEmpty { throw .malformed(allowed: form.usage) }
    }

    private func required<Value>(_ value: Value?) throws(ParameterFault.Reason) -> Value {
        guard let value else { throw .malformed(allowed: form.usage) }
        return value
    }
}
