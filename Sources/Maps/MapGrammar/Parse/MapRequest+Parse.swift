import ImagePlan
package import Parameters

extension MapRequest {
    /// Parses the items of a query; throws all faults at once, in URL order.
    package static func parse(
        _ items: [QueryItem], for purpose: Purpose = .picture, rules: MapRules = MapRules()
    ) throws(ParameterFaults) -> MapRequest {
        var reader = ParameterReader(items, table: table(purpose))
        var overlays = OverlayReader(&reader)
        var request = MapRequest(.overlays(maxZoom: MapPlacement.defaultMaxZoom))
        request.overlays = overlays.readOverlays(&reader)
        request.points = overlays.readPoints(&reader)
        request.placement = MapPlacement.parse(
            &reader, hasOverlays: !request.overlays.isEmpty || overlays.hasFaults,
            isLongitudeFirst: overlays.isLongitudeFirst)
        // Images do not depend on the turn that the longitude is counted on; positions keep it.
        if purpose == .picture { request.placement = request.placement.wrapped }
        request.readPicture(&reader, rules)
        request.readStyle(&reader, rules)
        request.readLook(&reader, rules)
        request.encoding = DrawnEncoding(&reader)
        try reader.finish()
        return request
    }

    private mutating func readPicture(_ reader: inout ParameterReader, _ rules: MapRules) {
        let sides = 16...max(16, rules.sideLimitPx)
        let width = reader.int("width", sides)
        let height = reader.int("height", sides)
        let size = reader.value("size") { text throws(Fault) in try Self.size(text, sides) }
        let single = [("width", width), ("height", height)].filter { reader.isPresent($0.0) && $0.1 != Self.usualSide }
            .map(\.0)
        if reader.isPresent("size"), !single.isEmpty { reader.refuse("size", .conflict(with: single)) }
        widthPx = size?.width ?? width ?? Self.usualSide
        heightPx = size?.height ?? height ?? Self.usualSide
        scale = reader.decimal("scale", 1...4) ?? 1
        for (name, side) in [("width", widthPx), ("height", heightPx)] {
            guard let device = scale.multiplied(by: side), device > rules.sideLimitPx else { continue }
            let given = reader.isPresent("size") ? "size" : reader.isPresent(name) ? name : "scale"
            reader.refuse(
                given, .outOfRange(allowed: "small enough for \(name) × scale of at most \(rules.sideLimitPx) pixels"))
        }
        bearing = reader.decimal("bearing", -360...360).map(\.direction) ?? 0
        pitch = reader.decimal("pitch", 0...60) ?? 0
        padding = reader.value("padding", MapPadding.parse) ?? usualPadding
        let room = min(widthPx - padding.left - padding.right, heightPx - padding.top - padding.bottom)
        if room < 1 { reader.refuse("padding", .outOfRange(allowed: "less than the width and the height of the map")) }
    }

    private mutating func readStyle(_ reader: inout ParameterReader, _ rules: MapRules) {
        if let name = reader.choice("style", rules.styles) { setStyle(name, rules) }
        guard let wanted = reader.choice("theme", of: Theme.self) else { return }
        guard let themes = rules.themes[style ?? rules.styles.first ?? ""] else {
            // A style without a pair ignores the client's preference.
            if wanted != .auto { reader.refuse("theme", .malformed(allowed: "left out: the style has one appearance")) }
            return
        }
        switch wanted {
        case .light: setStyle(themes.light, rules)
        case .dark: setStyle(themes.dark, rules)
        case .auto:
            // Both names of the pair give the same request.
            setStyle(themes.light, rules)
            theme = .auto
        }
    }

    private mutating func readLook(_ reader: inout ParameterReader, _ rules: MapRules) {
        look.readLabels(&reader)
        look.below = reader.string("below", byteLimit: 256)
        let attribution = reader.choice("attribution", of: MapLook.Attribution.self)
        if attribution == MapLook.Attribution.none, !rules.mayHideAttribution {
            let corners = MapLook.Attribution.allCases.filter { $0 != .none }.map(\.rawValue)
            reader.refuse(
                "attribution",
                .malformed(allowed: ParameterReader.list(corners) + "; this server always shows the attribution"))
        }
        look.attribution = attribution ?? .bottomRight
        look.scaleBar = reader.value("scalebar", ScaleBar.parse) ?? nil
        look.north = reader.value("north", MapLook.Corner.parse) ?? nil
    }

    private static func size(_ text: String, _ sides: ClosedRange<Int>) throws(Fault) -> (width: Int, height: Int) {
        let allowed = "width x height in pixels such as 600x400, each from \(sides.lowerBound) to \(sides.upperBound)"
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .malformed(allowed: allowed) }
        return (
            try PlainNumber.int(parts[0], in: sides, allowed: allowed),
            try PlainNumber.int(parts[1], in: sides, allowed: allowed)
        )
    }
}

extension MapPadding {
    private static let allowed = "1 to 4 whole numbers of pixels from 0 to 4096: top,right,bottom,left as in CSS"

    static func parse(_ text: String) throws(Fault) -> MapPadding {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard numbers.count < 4 else { throw .malformed(allowed: allowed) }
            numbers.append(try PlainNumber.int(part, in: 0...4096, allowed: allowed))
        }
        let top = numbers[0]
        let right = numbers.count > 1 ? numbers[1] : top
        return MapPadding(
            top: top, right: right, bottom: numbers.count > 2 ? numbers[2] : top,
            left: numbers.count > 3 ? numbers[3] : right)
    }

    /// The shortest text that `parse` accepts.
    var canonical: String {
        var numbers = [top, right, bottom, left]
        if left == right {
            numbers.removeLast()
            if bottom == top {
                numbers.removeLast()
                if right == top { numbers.removeLast() }
            }
        }
        return numbers.map(String.init).joined(separator: ",")
    }
}
