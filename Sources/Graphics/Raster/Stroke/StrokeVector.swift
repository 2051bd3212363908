/// In 24.8 units.
struct StrokeVector {
    var x: Double, y: Double

    static func + (a: StrokeVector, b: StrokeVector) -> StrokeVector { StrokeVector(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: StrokeVector, b: StrokeVector) -> StrokeVector { StrokeVector(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: StrokeVector, k: Double) -> StrokeVector { StrokeVector(x: a.x * k, y: a.y * k) }
    static prefix func - (a: StrokeVector) -> StrokeVector { StrokeVector(x: -a.x, y: -a.y) }
    func dot(_ other: StrokeVector) -> Double { x * other.x + y * other.y }
    func cross(_ other: StrokeVector) -> Double { x * other.y - y * other.x }
    var length: Double { (x * x + y * y).squareRoot() }
}
