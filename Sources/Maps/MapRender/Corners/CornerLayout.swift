/// Finds room for boxes in the corners of a picture, in CSS pixels. Boxes of one corner are stacked, the first nearest to the
/// edge, and keep clear of those of other corners.
struct CornerLayout {
    private static let gap = 4.0

    private(set) var zones: [Box] = []
    private let room: Box

    init(_ camera: Camera) {
        let margin = Self.margin(camera)
        room = Box(left: margin, top: margin, right: camera.width - margin, bottom: camera.height - margin)
    }

    static func margin(_ camera: Camera) -> Double { min(camera.width, camera.height) < 100 ? 1 : 4 }

    /// Keeps later boxes clear of `zone`.
    mutating func add(_ zone: Box) { zones.append(zone) }

    /// Where a box of this size fits; nil where no room is left.
    func place(width: Double, height: Double, _ corner: DrawnCorner) -> Box? {
        let left = corner.isLeft ? room.left : room.right - width
        var top = corner.isTop ? room.top : room.bottom - height
        while true {
            let box = Box(left: left, top: top, right: left + width, bottom: top + height)
            guard room.grown(by: 0.01).contains(box) else { return nil }
            guard let other = zones.first(where: { $0.grown(by: Self.gap - 0.01).touches(box) }) else { return box }
            // Each box is passed once, always away from the edge.
            top = corner.isTop ? other.bottom + Self.gap : other.top - Self.gap - height
        }
    }
}
