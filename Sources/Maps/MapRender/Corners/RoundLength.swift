/// The longest of 1, 2 or 5 times a power of ten that is no longer than a limit.
struct RoundLength: Equatable {
    let digit: Int
    let exponent: Int

    /// nil below 0.0001.
    init?(atMost limit: Double) {
        guard limit.isFinite, let exponent = (-4...9).last(where: { Self.power($0) <= limit }) else { return nil }
        self.exponent = exponent
        digit = [5, 2].first { Double($0) * Self.power(exponent) <= limit } ?? 1
    }

    var value: Double { Double(digit) * Self.power(exponent) }

    /// In digits: `200`, `0.05`.
    var text: String {
        exponent < 0
            ? "0." + String(repeating: "0", count: -exponent - 1) + "\(digit)"
            : "\(digit)" + String(repeating: "0", count: exponent)
    }

    private static func power(_ exponent: Int) -> Double {
        let power = (0..<exponent.magnitude).reduce(1.0) { power, _ in power * 10 }
        return exponent < 0 ? 1 / power : power
    }
}

/// A round length of ground and its name: `200 m`, `5 mi`.
struct ScaleLength: Equatable {
    let metres: Double
    let text: String

    /// The longest of `units` within `limit` metres; nil when that is too short for any name.
    init?(_ units: DrawnScaleBar.Units, within limit: Double) {
        guard let unit = Self.table(units).first(where: { $0.metres <= limit }) ?? Self.table(units).last,
            let length = RoundLength(atMost: limit / unit.metres)
        else { return nil }
        metres = length.value * unit.metres
        text = length.text + " " + unit.name
    }

    private struct Unit {
        var name: String
        var metres: Double
    }

    /// The longest first.
    private static func table(_ units: DrawnScaleBar.Units) -> [Unit] {
        switch units {
        case .metric: [Unit(name: "km", metres: 1000), Unit(name: "m", metres: 1), Unit(name: "cm", metres: 0.01)]
        case .imperial:
            [Unit(name: "mi", metres: 1609.344), Unit(name: "ft", metres: 0.3048), Unit(name: "in", metres: 0.0254)]
        case .nautical: [Unit(name: "nmi", metres: 1852)]
        }
    }
}
