package enum Compass: String, CaseIterable, Sendable, Codable {
    case center, top, bottom, left, right
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
}
