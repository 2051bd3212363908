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
}
