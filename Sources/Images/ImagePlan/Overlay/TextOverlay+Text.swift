import Colors
import Parameters
import TextLines

extension TextOverlay {
    private static let optionNames = [
        "size", "bold", "color", "outline", "background", "width", "lines", "align", "gravity", "offset", "opacity",
        "rotate", "tile",
    ]

    private static let allowed =
        "words[|option:value…], at most \(characterLimit) characters and \(byteLimit) bytes with something to see, with \\n for a "
        + "new line, \\| for a bar and \\\\ for a backslash"

    /// Reads `words[|option:value…]`.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Overlay {
        guard text.utf8.count <= 2 * byteLimit else { throw .outOfRange(allowed: allowed) }
        let end = wordsEnd(text)
        let words = CleanText.cleaned(unescaped(text[..<end]), keepsLines: true)
        guard words.utf8.count <= byteLimit, words.unicodeScalars.count <= characterLimit else {
            throw .outOfRange(allowed: allowed)
        }
        let parts = text[end...].dropFirst().split(separator: "|", omittingEmptySubsequences: false)
        var options = OverlayOptions(end == text.endIndex ? [] : parts[...], of: optionNames)
        var made = TextOverlay(words)
        made.read(&options)
        var overlay = Overlay(.text(made))
        overlay.readPlace(&options)
        overlay.readPose(&options)
        if !CleanText.isVisible(words) { throw .malformed(allowed: allowed) }
        try options.finish(allowed)
        return overlay
    }

    private mutating func read(_ options: inout OverlayOptions) {
        let plain = self
        size =
            options.read("size", { text throws(ParameterFault.Reason) in try BoxLength.textSize(text) }) ?? plain.size
        isBold = options.read("bold", { text throws(ParameterFault.Reason) in try Self.flag(text) }) ?? false
        color = options.color("color")?.color ?? plain.color
        outline = options.color("outline", and: 0.1...100).map { Outline(color: $0.color, width: $0.number) }
        background = options.color("background", and: 0...1000).map { Background(color: $0.color, padding: $0.number) }
        width =
            options.read("width", { text throws(ParameterFault.Reason) in try BoxLength.textWidth(text) })
            ?? plain.width
        lineLimit =
            options.read("lines", { text throws(ParameterFault.Reason) in try PlainNumber.int(text, in: 1...100) })
            ?? plain.lineLimit
        alignment = options.choice("align")
        if outline?.color.alpha == 0 { outline = nil }
        if background?.color.alpha == 0 { background = nil }
    }

    private static func flag(_ text: Substring) throws(ParameterFault.Reason) -> Bool {
        guard text == "0" || text == "1" else { throw .malformed(allowed: "0 or 1") }
        return text == "1"
    }

    /// The first bar without a backslash before it.
    private static func wordsEnd(_ text: String) -> String.Index {
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "|"), !isEscaped { return index }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return text.endIndex
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
        var scalars = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
            } else {
                scalars.append(isEscaped && scalar == "n" ? "\n" : scalar)
                isEscaped = false
            }
        }
        return String(scalars)
    }

    private static func escaped(_ words: String) -> String {
        let marks = [UInt8(ascii: "\\"), UInt8(ascii: "|"), UInt8(ascii: "\n")]
        guard words.utf8.contains(where: marks.contains) else { return words }
        var scalars = String.UnicodeScalarView()
        for scalar in words.unicodeScalars {
            if scalar == "\\" || scalar == "|" || scalar == "\n" { scalars.append("\\") }
            scalars.append(scalar == "\n" ? "n" : scalar)
        }
        return String(scalars)
    }

    /// The text that `parse` reads back as `overlay`, without defaults.
    func canonical(_ overlay: Overlay) -> String {
        let plain = TextOverlay("")
        var text = Self.escaped(words)
        func add(_ name: String, _ value: String, _ isUsual: Bool) { if !isUsual { text += "|\(name):\(value)" } }
        func withNumber(_ color: Color, _ number: PlainDecimal?) -> String {
            color.canonical + (number.map { ",\($0)" } ?? "")
        }
        add("size", size.canonical, size == plain.size)
        add("bold", "1", !isBold)
        add("color", color.canonical, color == plain.color)
        if let outline { add("outline", withNumber(outline.color, outline.width), false) }
        if let background { add("background", withNumber(background.color, background.padding), false) }
        add("width", width.canonical, width == plain.width)
        add("lines", "\(lineLimit)", lineLimit == plain.lineLimit)
        if let alignment { add("align", alignment.rawValue, false) }
        add("gravity", overlay.gravity.rawValue, overlay.gravity == .center)
        add("offset", "\(overlay.x),\(overlay.y)", overlay.x == 0 && overlay.y == 0)
        add("opacity", overlay.opacity.description, overlay.opacity == 1)
        return text + overlay.pose
    }
}

extension Overlay {
    /// What an asset has in front of its options.
    fileprivate mutating func readPlace(_ options: inout OverlayOptions) {
        gravity = options.choice("gravity") ?? .center
        opacity =
            options.read("opacity", { text throws(ParameterFault.Reason) in try PlainNumber.decimal(text, in: 0...1) })
            ?? 1
        let offset = options.read("offset") { text throws(ParameterFault.Reason) in
            let allowed = "x,y in whole pixels from -8192 to 8192"
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .malformed(allowed: allowed) }
            return (
                try PlainNumber.int(parts[0], in: -8192...8192, allowed: allowed),
                try PlainNumber.int(parts[1], in: -8192...8192, allowed: allowed)
            )
        }
        (x, y) = offset ?? (0, 0)
    }
}
