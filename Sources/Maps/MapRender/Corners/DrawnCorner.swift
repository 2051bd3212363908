package enum DrawnCorner: Sendable {
    case bottomRight, bottomLeft, topRight, topLeft

    var isTop: Bool { self == .topRight || self == .topLeft }
    var isLeft: Bool { self == .bottomLeft || self == .topLeft }
}

/// A scale bar with a row for each of its units.
package struct DrawnScaleBar: Sendable {
    package enum Units: Sendable { case metric, imperial, nautical }

    /// One or two; the first is above the line.
    package var units: [Units]
    package var corner: DrawnCorner

    package init(_ units: [Units], _ corner: DrawnCorner) { (self.units, self.corner) = (units, corner) }
}
