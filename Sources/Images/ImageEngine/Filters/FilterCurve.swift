struct FilterCurve {
    /// One for all colors, or three.
    let colors: [(Double) -> Double]
    /// Set if it is linear.
    var line: (factor: Double, offset: Double)?

    init(_ function: @escaping (Double) -> Double) { colors = [{ Self.held(function($0)) }] }

    init(factor: Double, offset: Double) {
        self.init { $0 * factor + offset }
        line = (factor, offset)
    }

    init(red: @escaping (Double) -> Double, green: @escaping (Double) -> Double, blue: @escaping (Double) -> Double) {
        colors = [red, green, blue].map { function in { Self.held(function($0)) } }
    }

    private init(colors: [(Double) -> Double]) { self.colors = colors }

    func followed(by next: FilterCurve) -> FilterCurve {
        let count = max(colors.count, next.colors.count)
        return FilterCurve(
            colors: (0..<count).map { index in
                let (first, second) = (colors[index % colors.count], next.colors[index % next.colors.count])
                return { second(first($0)) }
            })
    }

    /// Values at 0, 1 ÷ `size`, … 1 for each of `colors`.
    func table(size: Int) -> [Float] {
        colors.flatMap { function in (0...size).map { Float(function(Double($0) / Double(size))) } }
    }

    static func held(_ value: Double) -> Double { min(max(value, 0), 1) }
}
