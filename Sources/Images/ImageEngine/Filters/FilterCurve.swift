import Glibc

/// What happens to every sample by its value alone: a function of 0–1 to 0–1 for each color.
struct FilterCurve {
    /// One for all colors, or three.
    let colors: [(Double) -> Double]
    /// Factor and offset, where it is a straight line.
    var line: (factor: Double, offset: Double)?

    /// The same for all colors.
    init(_ function: @escaping (Double) -> Double) {
        colors = [{ Self.held(function($0)) }]
    }

    init(factor: Double, offset: Double) {
        self.init { $0 * factor + offset }
        line = (factor, offset)
    }

    /// Red, green and blue.
    init(red: @escaping (Double) -> Double, green: @escaping (Double) -> Double, blue: @escaping (Double) -> Double) {
        colors = [red, green, blue].map { function in { Self.held(function($0)) } }
    }

    private init(colors: [(Double) -> Double]) {
        self.colors = colors
    }

    /// This one, then `next`.
    func followed(by next: FilterCurve) -> FilterCurve {
        let count = max(colors.count, next.colors.count)
        return FilterCurve(
            colors: (0..<count).map { index in
                let (first, second) = (colors[index % colors.count], next.colors[index % next.colors.count])
                return { second(first($0)) }
            })
    }

    /// Values for 0, 1 ÷ `size`, … 1, for each color of `colors`.
    func table(size: Int) -> [Float] {
        colors.flatMap { function in (0...size).map { Float(function(Double($0) / Double(size))) } }
    }

    /// `value`, no less than 0 and no more than 1.
    static func held(_ value: Double) -> Double { min(max(value, 0), 1) }

    /// Linear light of an encoded sample (IEC 61966-2-1).
    static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The encoded sample of linear light.
    static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
