import Parameters

extension Overlay {
    private static let allowed =
        "id[:gravity[:x:y[:scale[:opacity]]]] with a place such as bottom-right, whole pixels from -8192 to 8192, a scale from "
        + "0.01 to 10 or a percentage of the image such as 25p, and an opacity from 0 to 1"

    /// Reads `id[:gravity[:x:y[:scale[:opacity]]]]`. Colons before the last slash are part of the id.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Overlay {
        let tailStart = text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex
        let parts = text[tailStart...].split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 6, parts.count != 3 else {
            throw .malformed(allowed: allowed)
        }
        let id = String(text[..<tailStart]) + name
        guard id.utf8.count <= ImageRequest.idByteLimit else { throw .outOfRange(allowed: allowed) }
        var overlay = Overlay(id: id)
        if parts.count > 1 {
            guard let compass = Compass(rawValue: String(parts[1])) else { throw .malformed(allowed: allowed) }
            overlay.gravity = compass
        }
        if parts.count > 3 {
            overlay.x = try PlainNumber.int(parts[2], in: -8192...8192, allowed: allowed)
            overlay.y = try PlainNumber.int(parts[3], in: -8192...8192, allowed: allowed)
        }
        if parts.count > 4 { overlay.size = try size(parts[4]) }
        if parts.count > 5 { overlay.opacity = try PlainNumber.decimal(parts[5], in: 0...1, allowed: allowed) }
        return overlay
    }

    private static func size(_ text: Substring) throws(ParameterFault.Reason) -> OverlaySize {
        guard text.utf8.last == UInt8(ascii: "p") else {
            return .times(try PlainNumber.decimal(text, in: 0.01...10, allowed: allowed))
        }
        return .percent(try PlainNumber.decimal(text.dropLast(), in: 0.01...100, allowed: allowed))
    }

    /// The text that `parse` reads back, without defaults at its end.
    var canonical: String {
        var parts = [id, gravity.rawValue, x.description, y.description, size.canonical, opacity.description]
        let defaults = [nil, "center", "0", "0", "1", "1"]
        while parts.count > 1, parts.last == defaults[parts.count - 1] { parts.removeLast() }
        // x and y come together.
        if parts.count == 3 { parts.append("0") }
        return parts.joined(separator: ":")
    }

    /// With lengths multiplied by `scale`; percentages stay.
    func scaled(by scale: PlainDecimal) -> Overlay {
        var scaled = self
        scaled.x = scale.multiplied(by: x) ?? x
        scaled.y = scale.multiplied(by: y) ?? y
        if case .times(let factor) = size { scaled.size = .times(factor.multiplied(by: scale) ?? factor) }
        return scaled
    }
}

extension OverlaySize {
    var canonical: String {
        switch self {
        case .times(let factor): factor.description
        case .percent(let percent): "\(percent)p"
        }
    }
}
