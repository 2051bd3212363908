import Bytes
import Colors
package import Parameters

extension ImageFilter {
    /// The most filters of a request.
    static let countLimit = 16

    /// Reads filters, left to right, separated by commas; each is `name`, `name:argument:…` or `name(argument,…)`.
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

/// One filter as it is written.
struct FilterText: Equatable {
    let name: String
    let arguments: [Substring]

    private static let allowed =
        "a list of filters, each name, name:argument:… or name(argument,…), separated by commas"

    /// Takes the list apart at its commas, but not at those between parentheses.
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

/// Reads the arguments of one filter from left to right.
struct FilterArguments {
    private var rest: ArraySlice<Substring>
    private let form: FilterForm

    init(_ arguments: [Substring], of form: FilterForm) {
        rest = arguments[...]
        self.form = form
    }

    /// The next number, or the default where there is none; without a default it is required.
    mutating func number(
        _ range: ClosedRange<PlainDecimal>, default missing: PlainDecimal? = nil
    ) throws(ParameterFault.Reason) -> PlainDecimal {
        guard let text = rest.popFirst() else { return try required(missing) }
        return try PlainNumber.decimal(text, in: range, allowed: form.usage)
    }

    /// As `number`, for whole numbers.
    mutating func int(_ range: ClosedRange<Int>, default missing: Int? = nil) throws(ParameterFault.Reason) -> Int {
        guard let text = rest.popFirst() else { return try required(missing) }
        return try PlainNumber.int(text, in: range, allowed: form.usage)
    }

    /// The next argument, an opaque color.
    mutating func color() throws(ParameterFault.Reason) -> Color {
        guard let text = rest.popFirst(), let color = Color(text: String(text)), color.isOpaque else {
            throw .malformed(allowed: form.usage)
        }
        return color
    }

    /// The next argument, the name of a look.
    mutating func look() throws(ParameterFault.Reason) -> ImageFilter.Look {
        guard let text = rest.popFirst(), let look = ImageFilter.Look(rawValue: String(text)) else {
            throw .malformed(allowed: form.usage)
        }
        return look
    }

    /// Refuses arguments that nobody asked for.
    func finish() throws(ParameterFault.Reason) {
        if !rest.isEmpty { throw .malformed(allowed: form.usage) }
    }

    private func required<Value>(_ value: Value?) throws(ParameterFault.Reason) -> Value {
        guard let value else { throw .malformed(allowed: form.usage) }
        return value
    }
}
