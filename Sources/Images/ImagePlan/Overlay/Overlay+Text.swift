import Parameters

extension Overlay {
    private static let allowed =
        "id[:gravity[:x:y[:scale[:opacity]]]] with a place such as bottom-right, whole pixels from -8192 to 8192, a scale from "
        + "0.01 to 10 or a percentage of the image such as 25p, and an opacity from 0 to 1"

    /// Of assets and of texts.
    private static let optionNames = ["rotate", "tile"]

    /// Reads `id[:gravity[:x:y[:scale[:opacity]]]]`, and behind it `|rotate:degrees` and `|tile:gap`. Colons before the last slash
    /// are part of the id, and so are bars of what is an overlay without options.
    static func parse(
        _ text: String, suggesting nearest: OverlayOptions.Suggesting = Suggestion.nearest(to:among:)
    ) throws(ParameterFault.Reason) -> Overlay {
        let plain: ParameterFault.Reason
        do throws(ParameterFault.Reason) { return try asset(text) } catch { plain = error }
        guard text.utf8.count <= 2 * ImageRequest.idByteLimit else { throw plain }
        let parts = text[tailStart(text)...].split(separator: "|", omittingEmptySubsequences: false)
        let usage = allowed + ", and behind it |rotate:degrees and |tile:pixels"
        // From the end on, until more names are misspelt than are told.
        var (start, misspeltCount) = (parts.count, 0)
        while start > 1, misspeltCount <= OverlayOptions.mistakeLimit,
            let name = OverlayOptions.name(of: parts[start - 1])
        {
            if !optionNames.contains(name) {
                guard nearest(name, optionNames) != nil else { break }
                misspeltCount += 1
            }
            start -= 1
        }
        guard start < parts.count else { throw plain }
        var reader = OverlayOptions(parts[start...], of: optionNames, suggesting: nearest)
        if misspeltCount > OverlayOptions.mistakeLimit { try reader.finish(usage) }
        var overlay = try asset(String(text[..<parts[start - 1].endIndex]))
        overlay.readPose(&reader)
        try reader.finish(usage)
        return overlay
    }

    private static func asset(_ text: String) throws(ParameterFault.Reason) -> Overlay {
        let tailStart = tailStart(text)
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
        if parts.count > 4 { overlay.content = .asset(id: id, try size(parts[4])) }
        if parts.count > 5 { overlay.opacity = try PlainNumber.decimal(parts[5], in: 0...1, allowed: allowed) }
        return overlay
    }

    private static func tailStart(_ text: String) -> String.Index {
        text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex
    }

    private static func size(_ text: Substring) throws(ParameterFault.Reason) -> OverlaySize {
        guard text.utf8.last == UInt8(ascii: "p") else {
            return .times(try PlainNumber.decimal(text, in: 0.01...10, allowed: allowed))
        }
        return .percent(try PlainNumber.decimal(text.dropLast(), in: 0.01...100, allowed: allowed))
    }

    /// The options that every overlay has.
    mutating func readPose(_ reader: inout OverlayOptions) {
        let turned = reader.read("rotate") { text throws(ParameterFault.Reason) in
            try PlainNumber.decimal(text, in: -360...360, allowed: "degrees from -360 to 360, clockwise")
        }
        if let turned {
            let circle = Int64(360_000_000_000)
            degrees = PlainDecimal(billionths: (turned.billionths % circle + circle) % circle)
        }
        gap = reader.read("tile") { text throws(ParameterFault.Reason) in
            try PlainNumber.int(text, in: 0...8192, allowed: "the pixels between two copies, from 0 to 8192")
        }
    }

    /// The parameter that is read back as this.
    var item: QueryItem {
        switch content {
        case .asset(let id, let size): QueryItem(name: "overlay", value: canonical(id, size))
        case .text(let text): QueryItem(name: "text", value: text.canonical(self))
        }
    }

    /// Without defaults at its end.
    private func canonical(_ id: String, _ size: OverlaySize) -> String {
        var parts = [id, gravity.rawValue, x.description, y.description, size.canonical, opacity.description]
        let defaults = [nil, "center", "0", "0", "1", "1"]
        while parts.count > 1, parts.last == defaults[parts.count - 1] { parts.removeLast() }
        // x and y come together.
        if parts.count == 3 { parts.append("0") }
        return parts.joined(separator: ":") + pose
    }

    var pose: String { (degrees == 0 ? "" : "|rotate:\(degrees)") + (gap.map { "|tile:\($0)" } ?? "") }
}

extension OverlaySize {
    var canonical: String {
        switch self {
        case .times(let factor): factor.description
        case .percent(let percent): "\(percent)p"
        }
    }
}
