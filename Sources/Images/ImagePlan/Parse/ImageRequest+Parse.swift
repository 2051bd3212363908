import Colors
package import Parameters

extension ImageRequest {
    package static let idByteLimit = 2048
    /// Of overlays and texts together.
    package static let overlayLimit = 8
    static let pageLimit = 100_000

    /// The request of a query in normal form, or all of its faults at once. `hints` apply to open parameters.
    package static func parse(
        _ items: [QueryItem], presets: PresetTable = .none, hints: ClientHints = .none
    ) throws(ParameterFaults) -> ImageRequest {
        var reader = ParameterReader(hints.applied(to: presets.expanding(items)), table: table)
        _ = reader.value("preset", presets.check)
        var request = ImageRequest(id: reader.string("id", byteLimit: idByteLimit) ?? "")
        reader.require("id")
        request.readGeometry(&reader)
        request.readPaint(&reader)
        request.readEncoding(&reader)
        request.fallbackID = reader.string("default", byteLimit: idByteLimit)
        request.downloadName = reader.value("download", DownloadText.parse)
        request.isExplained = reader.flag("explain") ?? false
        request.checkDescription(&reader)
        try reader.finish()
        return request.normalised()
    }

    private mutating func readGeometry(_ reader: inout ParameterReader) {
        width = reader.value("width", BoxLength.side)
        height = reader.value("height", BoxLength.side)
        scale = reader.decimal("scale", 0.5...4) ?? 1
        let givenFit = reader.choice("fit", of: Fit.self)
        fit = givenFit ?? .inside
        mayEnlarge = reader.flag("enlarge") ?? false
        dpi = reader.int("dpi", 36...600)
        let box = ["width", "height"].filter { reader.isPresent($0) }
        if dpi != nil, !box.isEmpty { reader.refuse("dpi", .conflict(with: box)) }
        trim = reader.int("trim", 0...255)
        let givenGravity = reader.value("gravity", Gravity.parse)
        gravity = givenGravity ?? .center
        rotation = reader.value("rotate", Rotation.parse) ?? .upright(quarterTurns: 0)
        flip = reader.choice("flip", of: Flip.self)
        padding = reader.value("pad", Padding.parse)
        switch reader.value("crop", CropText.parse) {
        case .region(let region): crop = region.placed(by: gravity)
        case .gravity(let cropGravity):
            Self.checkCover(by: cropGravity, fit: givenFit, gravity: givenGravity, reading: &reader)
            fit = .cover
            gravity = cropGravity
        case nil: break
        }
    }

    private mutating func readPaint(_ reader: inout ParameterReader) {
        filters = reader.value("filter", ImageFilter.parseList) ?? []
        switch reader.value("background", BackgroundText.parse) {
        case .color(let color): background = color
        case .blur: isBackgroundBlurred = true
        case nil: break
        }
        radius = reader.value("radius", BoxLength.radius)
        mask = reader.choice("mask", of: Mask.self)
        overlays = Self.readOverlays(&reader)
    }

    /// Overlays and texts in URL order, which is that of drawing.
    private static func readOverlays(_ reader: inout ParameterReader) -> [Overlay] {
        var count = 0
        return reader.values(of: ["overlay", "text"]) { name, text throws(ParameterFault.Reason) in
            count += 1
            guard count <= overlayLimit else {
                throw .outOfRange(
                    allowed: "one of at most \(overlayLimit) overlays and texts, those of presets included")
            }
            return name == "text" ? try TextOverlay.parse(text) : try Overlay.parse(text)
        }
    }

    private mutating func readEncoding(_ reader: inout ParameterReader) {
        page = reader.int("page", 1...Self.pageLimit)
        hasAllPages = reader.choice("pages", ["all"]) != nil
        if reader.isPresent("page"), reader.isPresent("pages") { reader.refuse("pages", .conflict(with: ["page"])) }
        switch reader.value("format", FormatText.parse) {
        case .picture(let named): format = named
        case .description: isDescription = true
        case nil: break
        }
        quality = reader.value("quality", Quality.parse)
        byteLimit = reader.value("bytes", ByteLimitText.parse)
        colorCount = reader.int("colors", 2...256)
        isLossless = reader.flag("lossless") ?? false
        isProgressive = reader.flag("progressive") ?? false
        effort = reader.int("effort", 1...10)
        metadata = reader.choice("metadata", of: MetadataPolicy.self) ?? .none
        profile = reader.choice("profile", of: ColorProfile.self) ?? .srgb
        hdr = reader.choice("hdr", of: GainMapPolicy.self)
        for (name, others) in encodingConflicts { reader.refuse(name, .conflict(with: others)) }
    }

    /// A description is of the asset, by its first page, and is no file to save.
    private func checkDescription(_ reader: inout ParameterReader) {
        guard isDescription else { return }
        if isExplained { reader.refuse("explain", .conflict(with: ["format"])) }
        for name in ["page", "pages", "download"] where reader.isPresent(name) {
            reader.refuse(name, .conflict(with: ["format"]))
        }
    }

    /// Parameters of encoding that exclude others, in the order in which they are told.
    var encodingConflicts: [(name: String, others: [String])] {
        var found: [(name: String, others: [String])] = []
        if isLossless, let format, !format.canBeLossless { found.append(("lossless", ["format"])) }
        if isLossless, quality != nil { found.append(("lossless", ["quality"])) }
        if byteLimit != nil, isLossless { found.append(("bytes", ["lossless"])) }
        let hasNoSearch = format?.isAlwaysLossless ?? false
        if byteLimit != nil, hasNoSearch { found.append(("bytes", ["format"])) }
        if !colorConflicts.isEmpty { found.append(("colors", colorConflicts)) }
        if quality?.isAutomatic == true {
            if hasNoSearch { found.append(("quality", ["format"])) }
            if byteLimit != nil { found.append(("bytes", ["quality"])) }
        }
        if hdr == .keep, !gainMapConflicts.isEmpty { found.append(("hdr", gainMapConflicts)) }
        return found
    }

    private var colorConflicts: [String] {
        guard colorCount != nil else { return [] }
        var names: [String] = []
        if let format, !format.holdsPalette { names.append("format") }
        if quality?.isAutomatic == true { names.append("quality") }
        if byteLimit != nil { names.append("bytes") }
        if isLossless { names.append("lossless") }
        if isProgressive { names.append("progressive") }
        return names
    }

    /// `crop=<gravity>` covers the box, so it needs both sides. Defaults, which generated clients send, are no
    /// conflict.
    private static func checkCover(
        by cropGravity: Gravity, fit: Fit?, gravity: Gravity?, reading reader: inout ParameterReader
    ) {
        let missing = ["width", "height"].filter { !reader.isPresent($0) }
        if !missing.isEmpty { reader.refuse("crop", .incomplete(without: missing)) }
        var conflicts: [String] = []
        if let fit, fit != .cover, fit != .inside { conflicts.append("fit") }
        if let gravity, gravity != cropGravity, gravity != .center { conflicts.append("gravity") }
        if !conflicts.isEmpty { reader.refuse("crop", .conflict(with: conflicts)) }
    }

    /// The parameters of `/asset`, in canonical order.
    package static let table = ParameterTable([
        .init("id"), .init("width", aliases: ["w"]), .init("height", aliases: ["h"]), .init("scale", aliases: ["dpr"]),
        .init("fit"), .init("enlarge"), .init("dpi"), .init("trim"), .init("crop"), .init("gravity"), .init("rotate"),
        .init("flip"), .init("pad"), .init("filter"), .init("background", aliases: ["bg"]), .init("radius"),
        .init("mask"),
        .init("overlay", isRepeatable: true), .init("text", isRepeatable: true), .init("page"), .init("pages"),
        .init("format"), .init("quality", aliases: ["q"]),
        .init("bytes"), .init("colors"), .init("lossless"), .init("progressive"), .init("effort"), .init("metadata"),
        .init("profile"), .init("hdr"), .init("default"), .init("download"), .init("explain"), .init("preset"),
    ])
}

enum BackgroundText: Equatable {
    case color(Color)
    case blur

    static func parse(_ text: String) throws(ParameterFault.Reason) -> BackgroundText {
        if text == "blur" { return .blur }
        guard let color = Color(text: text) else { throw .malformed(allowed: "blur, or \(Color.allowed)") }
        return .color(color)
    }
}

extension OutputFormat {
    /// GIF holds 256 colors only.
    var canBeLossless: Bool { self != .jpeg && self != .gif }
}

extension BoxLength {
    static func side(_ text: String) throws(ParameterFault.Reason) -> BoxLength {
        try parse(
            text[...], percent: 0.01...1000,
            allowed: "a whole number of pixels from 1 to 8192, or a percentage such as 50p from 0.01p to 1000p")
    }

    static func radius(_ text: String) throws(ParameterFault.Reason) -> BoxLength {
        try parse(
            text[...], percent: 0.01...50,
            allowed:
                "a whole number of pixels from 1 to 8192, or a percentage of the shorter side such as 10p, up to 50p")
    }

    /// Of the letters of a text.
    static func textSize(_ text: Substring) throws(ParameterFault.Reason) -> BoxLength {
        try parse(
            text, percent: 0.1...100,
            allowed:
                "a whole number of pixels from 1 to 8192, or a percentage of the shorter side such as 5p, from 0.1p to 100p"
        )
    }

    /// Of the lines of a text.
    static func textWidth(_ text: Substring) throws(ParameterFault.Reason) -> BoxLength {
        try parse(
            text, percent: 1...100,
            allowed:
                "a whole number of pixels from 1 to 8192, or a percentage of the image's width such as 80p, from 1p to 100p"
        )
    }

    private static func parse(
        _ text: Substring, percent: ClosedRange<PlainDecimal>, allowed: String
    ) throws(ParameterFault.Reason) -> BoxLength {
        guard text.utf8.last == UInt8(ascii: "p") else {
            return .pixels(try PlainNumber.int(text, in: 1...8192, allowed: allowed))
        }
        return .percent(try PlainNumber.decimal(text.dropLast(), in: percent, allowed: allowed))
    }
}

extension Rotation {
    /// Reads `auto`, `none`, or degrees from −360 to 360, clockwise, optionally with `,straighten`.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Rotation {
        let allowed = "auto, none, or degrees from -360 to 360, followed by ,straighten to crop away the corners"
        switch text {
        case "auto": return .upright(quarterTurns: 0)
        case "none": return .asStored
        default: break
        }
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first, parts.count == 1 || parts[1] == "straighten" else {
            throw .malformed(allowed: allowed)
        }
        let degrees = try PlainNumber.decimal(number, in: -360...360, allowed: allowed)
        let (circle, right) = (Int64(360_000_000_000), Int64(90_000_000_000))
        let turn = ((degrees.billionths % circle) + circle) % circle
        guard turn % right != 0 else { return .upright(quarterTurns: Int(turn / right)) }
        return .arbitrary(degrees: PlainDecimal(billionths: turn), isStraightened: parts.count == 2)
    }
}
