import JSON

/// Numbers as in ECMA-402, with the separators, units and currencies that maps show. Other languages and units fall
/// back to English and the unit's name: ICU's tables are 44 MB.
package struct NumberFormat: Hashable, Sendable {
    /// A BCP 47 tag; nil for English.
    package var locale: String?
    package var currency: String?
    /// A unit of ECMA-402 §6.6, such as `kilometer`.
    package var unit: String?
    package var minFractionDigits: Int?
    package var maxFractionDigits: Int?

    /// ECMA-402 §15.1.3.
    static let fractionDigitsLimit = 100

    package func text(of number: Double) -> String {
        let digits = plainText(of: number.magnitude)
        let sign = number < 0 && digits.contains { ("1"..."9").contains($0) } ? "-" : ""
        if let currency { return sign + withCurrency(digits, code: currency.uppercased()) }
        guard let unit else { return sign + digits }
        let parts = unit.split(separator: "-", omittingEmptySubsequences: true).map(String.init)
        if parts.count == 3, parts[1] == "per" {
            return "\(sign)\(digits) \(Self.symbol(parts[0]))/\(Self.symbol(parts[2]))"
        }
        return sign + digits + (Self.closeUnits[unit] ?? " \(Self.symbol(unit))")
    }

    private var language: String { locale?.split(separator: "-").first.map { $0.lowercased() } ?? "en" }

    private func plainText(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return "∞" }
        let usual = currency.map { Self.wholeCurrencies.contains($0.uppercased()) ? 0 : 2 }
        let lowest = min(
            Self.fractionDigitsLimit, max(0, minFractionDigits ?? min(usual ?? 0, maxFractionDigits ?? 100)))
        let highest = min(Self.fractionDigitsLimit, max(lowest, maxFractionDigits ?? usual ?? 3))
        var decimal = DecimalDigits(number)
        decimal.round(fractionDigits: highest)
        var fraction = decimal.fractionText
        if fraction.utf8.count < lowest { fraction += String(repeating: "0", count: lowest - fraction.utf8.count) }
        let separators = Self.separators[language] ?? Separators(group: ",", decimal: ".", smallestGrouped: 4)
        return grouped(decimal.wholeText, by: separators) + (fraction.isEmpty ? "" : separators.decimal + fraction)
    }

    private func grouped(_ digits: String, by separators: Separators) -> String {
        guard digits.utf8.count >= separators.smallestGrouped else { return digits }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { result += separators.group }
            result.append(digit)
        }
        return result
    }

    private func withCurrency(_ digits: String, code: String) -> String {
        let symbol = Self.currencySymbols[code] ?? code
        if Self.separators[language] != nil { return "\(digits)\u{a0}\(symbol)" }
        return symbol.count > 1 && symbol == code ? "\(symbol)\u{a0}\(digits)" : symbol + digits
    }

    private static func symbol(_ unit: String) -> String { unitSymbols[unit] ?? unit }
}

extension NumberFormat {
    private struct Separators {
        var group: String
        var decimal: String
        /// The fewest digits before the point that are grouped.
        var smallestGrouped: Int
    }

    private static let separators: [String: Separators] = {
        let points = Separators(group: ".", decimal: ",", smallestGrouped: 4)
        let narrow = Separators(group: "\u{202f}", decimal: ",", smallestGrouped: 4)
        let blanks = Separators(group: "\u{a0}", decimal: ",", smallestGrouped: 4)
        let longBlanks = Separators(group: "\u{a0}", decimal: ",", smallestGrouped: 5)
        let longPoints = Separators(group: ".", decimal: ",", smallestGrouped: 5)
        return [
            "de": points, "it": points, "nl": points, "id": points, "tr": points, "da": points, "el": points,
            "pt": points, "fr": narrow, "sv": blanks, "nb": blanks, "no": blanks, "fi": blanks, "ru": blanks,
            "uk": blanks,
            "cs": blanks, "sk": blanks, "hu": blanks, "pl": longBlanks, "bg": longBlanks, "es": longPoints,
        ]
    }()

    private static let wholeCurrencies: Set<String> = ["JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF", "PYG", "UGX"]

    private static let currencySymbols = [
        "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "BRL": "R$", "CAD": "CA$",
        "AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "HKD": "HK$", "ILS": "₪", "VND": "₫", "TWD": "NT$",
    ]

    /// Units that English writes without a space.
    private static let closeUnits = ["celsius": "°C", "fahrenheit": "°F", "percent": "%", "degree": "°"]

    private static let unitSymbols = [
        "acre": "ac", "bit": "bit", "byte": "byte", "centimeter": "cm", "day": "day", "foot": "ft", "gallon": "gal",
        "gigabit": "Gb", "gigabyte": "GB", "gram": "g", "hectare": "ha", "hour": "hr", "inch": "in", "kilobit": "kb",
        "kilobyte": "kB", "kilogram": "kg", "kilometer": "km", "liter": "L", "megabit": "Mb", "megabyte": "MB",
        "meter": "m", "mile": "mi", "mile-scandinavian": "smi", "milliliter": "mL", "millimeter": "mm",
        "millisecond": "ms",
        "minute": "min", "month": "mth", "ounce": "oz", "petabyte": "PB", "pound": "lb", "second": "sec", "stone": "st",
        "terabit": "Tb",
        "terabyte": "TB", "week": "wk", "yard": "yd", "year": "yr", "fluid-ounce": "fl oz",
    ]
}
