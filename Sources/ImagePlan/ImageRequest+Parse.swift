package import Parameters

extension ImageRequest {
    /// The longest id, in octets.
    package static let idByteLimit = 1024

    /// The request that the items of a query make, in its normal form; or all of its faults at once.
    package static func parse(_ items: [QueryItem]) throws(ParameterFaults) -> ImageRequest {
        var reader = ParameterReader(items, table: table)
        var request = ImageRequest(id: reader.string("id", byteLimit: idByteLimit) ?? "")
        reader.require("id")
        request.width = reader.value("width", boxLength)
        request.height = reader.value("height", boxLength)
        request.scale = reader.decimal("scale", 0.5...4) ?? 1
        let fit = reader.choice("fit", of: Fit.self)
        request.fit = fit ?? .inside
        request.mayEnlarge = reader.flag("enlarge") ?? false
        let gravity = reader.value("gravity", Gravity.parse)
        request.gravity = gravity ?? .center
        request.rotation = reader.value("rotate", Rotation.parse) ?? .upright(quarterTurns: 0)
        request.flip = reader.choice("flip", of: Flip.self)
        request.filters = reader.value("filter", ImageFilter.parseList) ?? []
        request.background = reader.colour("background") ?? .transparent
        request.format = reader.value("format", outputFormat) ?? nil
        request.quality = reader.value("quality", qualityNumber)

        switch reader.value("crop", CropText.parse) {
        case .region(let region): request.crop = region.placed(by: request.gravity)
        case .gravity(let cropGravity):
            Self.checkCover(by: cropGravity, fit: fit, gravity: gravity, reading: &reader)
            request.fit = .cover
            request.gravity = cropGravity
        case nil: break
        }
        try reader.finish()
        return request.normalised()
    }

    /// `crop=<gravity>` covers the box, so it needs both sides of one and nothing that asks for something else.
    private static func checkCover(
        by cropGravity: Gravity, fit: Fit?, gravity: Gravity?, reading reader: inout ParameterReader
    ) {
        let missing = ["width", "height"].filter { !reader.isPresent($0) }
        if !missing.isEmpty { reader.refuse("crop", .incomplete(without: missing)) }
        var conflicts: [String] = []
        if let fit, fit != .cover { conflicts.append("fit") }
        if let gravity, gravity != cropGravity { conflicts.append("gravity") }
        if !conflicts.isEmpty { reader.refuse("crop", .conflict(with: conflicts)) }
    }

    /// Drops what cannot change the picture, so that requests for one picture have one canonical text.
    private func normalised() -> ImageRequest {
        var normal = self
        if width == nil || height == nil { normal.fit = .inside }
        if normal.fit != .cover, normal.fit != .contain { normal.gravity = .center }
        if width == nil, height == nil {
            normal.mayEnlarge = false
            if !filters.contains(where: \.hasLength) { normal.scale = 1 }
        }
        if case .fractions(x: 0, y: 0, width: 1, height: 1) = crop { normal.crop = nil }
        normal.filters.removeAll(where: \.changesNothing)
        if let format { normal.quality = format.settled(quality) }
        return normal
    }

    private static func boxLength(_ text: String) throws(ParameterFault.Reason) -> BoxLength {
        let allowed = "a whole number of pixels from 1 to 8192, or a percentage such as 50p from 0.01p to 1000p"
        guard text.utf8.last == UInt8(ascii: "p") else {
            return .pixels(try PlainNumber.int(text, in: 1...8192, allowed: allowed))
        }
        return .percent(try PlainNumber.decimal(text.dropLast(), in: 0.01...1000, allowed: allowed))
    }

    /// nil is `auto`.
    private static func outputFormat(_ text: String) throws(ParameterFault.Reason) -> OutputFormat? {
        if text == "auto" { return nil }
        if let format = OutputFormat(rawValue: text) { return format }
        let allowed = ParameterReader.list(["auto"] + OutputFormat.allCases.map(\.rawValue))
        throw ["gif", "tiff", "jxl"].contains(text) ? .notSupportedYet(allowed: allowed) : .malformed(allowed: allowed)
    }

    private static func qualityNumber(_ text: String) throws(ParameterFault.Reason) -> Int {
        if text == "auto" || text.hasPrefix("auto:") { throw .notSupportedYet(allowed: "a whole number from 1 to 100") }
        return try PlainNumber.int(text, in: 1...100)
    }
}

extension Gravity {
    /// The names of the gravities, for faults.
    static var allowed: String { ParameterReader.list(allCases.map(\.rawValue)) }

    /// Reads a gravity; the ones that look at the picture, and focal points, are not supported yet.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Gravity {
        try parse(text, allowed: allowed)
    }

    /// Reads a gravity inside a parameter that allows more than gravities.
    static func parse(_ text: String, allowed: String) throws(ParameterFault.Reason) -> Gravity {
        if let gravity = Gravity(rawValue: text) { return gravity }
        throw isPlanned(text) ? .notSupportedYet(allowed: allowed) : .malformed(allowed: allowed)
    }

    /// Whether `text` is a gravity of the design that this version does not build.
    static func isPlanned(_ text: String) -> Bool {
        if ["attention", "entropy", "smart"].contains(text) { return true }
        let halves = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, text.contains(".") else { return false }
        return halves.allSatisfy { half in (try? PlainNumber.decimal(half)).map { (0...1).contains($0) } ?? false }
    }
}

extension Rotation {
    /// Reads `auto`, `none` or a multiple of 90 from −360 to 360, clockwise.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Rotation {
        let allowed = "auto, none or a multiple of 90 from -360 to 360"
        switch text {
        case "auto": return .upright(quarterTurns: 0)
        case "none": return .asStored
        default: break
        }
        let number = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let degreesText = number.first, number.count == 1 || number[1] == "straighten" else {
            throw .malformed(allowed: allowed)
        }
        let degrees = try PlainNumber.decimal(degreesText, in: -360...360, allowed: allowed)
        guard number.count == 1, degrees.billionths % 90_000_000_000 == 0 else {
            throw .notSupportedYet(allowed: allowed)
        }
        return .upright(quarterTurns: Int(degrees.billionths / 90_000_000_000) & 3)
    }
}
