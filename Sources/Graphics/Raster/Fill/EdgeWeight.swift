/// The strength of pixels at the edges of a filled shape.
package enum EdgeWeight: Sendable {
    case exact
    /// As MapLibre's on average, which fills pixels by centres and draws a line one pixel wide around: what is covered by
    /// half is full, and less than a tenth is often missed.
    case bold
    /// In fifteen steps, so that a drawing of a few flat colors has few colors at its edges, and a PNG of it a palette.
    case stepped

    static let steppedTable: [UInt8] = (0...255).map { UInt8(($0 * 15 + 127) / 255 * 17) }

    static let boldTable: [UInt8] = {
        // Shares covered, and what MapLibre paints of such pixels on average, measured on coasts.
        let knots: [(covered: Double, painted: Double)] = [
            (0, 0), (0.012, 0.04), (0.035, 0.17), (0.075, 0.42), (0.12, 0.68), (0.17, 0.76), (0.22, 0.835),
            (0.27, 0.885), (0.32, 0.925), (0.37, 0.955), (0.42, 0.985), (0.5, 1), (1, 1),
        ]
        return (0...255).map { byte in
            let share = Double(byte) / 255
            for (low, high) in zip(knots, knots.dropFirst()) where share <= high.covered {
                let part = (share - low.covered) / (high.covered - low.covered)
                return UInt8(((low.painted + (high.painted - low.painted) * part) * 255).rounded())
            }
            return 255
        }
    }()
}
