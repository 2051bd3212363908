struct DashState {
    private var index = 0
    var left: Double
    var isOn: Bool { index % 2 == 0 }

    init(dashes: [Double], period: Double, at distance: Double) {
        var rest = distance.truncatingRemainder(dividingBy: period)
        while index < dashes.count - 1, rest >= dashes[index] {
            rest -= dashes[index]
            index += 1
        }
        left = max(0, dashes[index] - rest)
    }

    mutating func advance(_ dashes: [Double]) {
        index = (index + 1) % dashes.count
        left = dashes[index]
    }
}
