#if canImport(Glibc)
    import Glibc
#endif

/// What happens to every sample by its value alone: a function of 0–1 to 0–1 for each colour.
struct FilterCurve {
    /// One for all colours, or three.
    let colours: [(Double) -> Double]
    /// Factor and offset, where it is a straight line.
    var line: (factor: Double, offset: Double)?

    /// The same for all colours.
    init(_ function: @escaping (Double) -> Double) {
        colours = [{ Self.held(function($0)) }]
    }

    init(factor: Double, offset: Double) {
        self.init { $0 * factor + offset }
        line = (factor, offset)
    }

    /// Red, green and blue.
    init(red: @escaping (Double) -> Double, green: @escaping (Double) -> Double, blue: @escaping (Double) -> Double) {
        colours = [red, green, blue].map { function in { Self.held(function($0)) } }
    }

    private init(colours: [(Double) -> Double]) {
        self.colours = colours
    }

    /// This one, then `next`.
    func followed(by next: FilterCurve) -> FilterCurve {
        let count = max(colours.count, next.colours.count)
        return FilterCurve(
            colours: (0..<count).map { index in
                let (first, second) = (colours[index % colours.count], next.colours[index % next.colours.count])
                return { second(first($0)) }
            })
    }

    /// Values for 0, 1 ÷ `size`, … 1, for each colour of `colours`.
    func table(size: Int) -> [Float] {
        colours.flatMap { function in (0...size).map { Float(function(Double($0) / Double(size))) } }
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
