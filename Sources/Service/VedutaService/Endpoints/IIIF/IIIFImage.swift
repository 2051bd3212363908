import ImagePlan
import Parameters

/// The parameters of one image (Image API 2.1 and 3.0, §4), as a request to the engine.
struct IIIFImage: Sendable {
    /// The longest side of an image, so that every format holds every image. Descriptions tell it.
    static let sideLimitPx = 5000
    /// By their names in paths; the level demands the first two.
    static let formats: [(name: String, format: OutputFormat)] = [
        ("jpg", .jpeg), ("png", .png), ("webp", .webp), ("gif", .gif), ("tif", .tiff), ("avif", .avif),
    ]
    static let qualities = ["default", "color", "gray", "bitonal"]

    private static let pixelLimit = 1_000_000

    let request: ImageRequest
    let format: OutputFormat

    /// `parts` are region, size, rotation, and quality with format.
    init(id: String, page: Int?, _ parts: [String], _ version: IIIFPath.Version, longestSidePx: Int)
        throws(ParameterFaults)
    {
        var request = ImageRequest(id: id)
        request.page = page ?? 1
        request.cropsBeforeTurning = true
        var format = OutputFormat.jpeg
        var faults: [ParameterFault] = []
        func read(_ name: String, _ value: String, _ body: () throws(ParameterFault.Reason) -> Void) {
            do throws(ParameterFault.Reason) { try body() } catch {
                faults.append(ParameterFault(parameter: name, value: value, reason: error))
            }
        }
        read("region", parts[0]) { () throws(ParameterFault.Reason) in request.crop = try Self.region(parts[0]) }
        read("size", parts[1]) { () throws(ParameterFault.Reason) in
            try Self.size(parts[1], version, limitPx: longestSidePx, &request)
        }
        read("rotation", parts[2]) { () throws(ParameterFault.Reason) in try Self.rotate(parts[2], &request) }
        let last = parts[3].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (quality, ending) = (last[0], last.count > 1 ? last[1] : "")
        read("quality", quality) { () throws(ParameterFault.Reason) in
            request.filters = try Self.filters(quality, version)
        }
        read("format", ending) { () throws(ParameterFault.Reason) in
            guard let known = Self.formats.first(where: { $0.name == ending }) else {
                throw .malformed(allowed: ParameterReader.list(Self.formats.map(\.name)))
            }
            format = known.format
        }
        guard faults.isEmpty else { throw ParameterFaults(faults) }
        request.format = format
        // Viewers ask for hundreds of tiles, each of which is looked at for a moment.
        if case .pixels? = request.crop { request.isQuick = format == .jpeg && request.filters.isEmpty }
        if case .upright(let turns) = request.rotation, turns & 1 == 1 {
            // Sizes are those before the turn.
            (request.width, request.height) = (request.height, request.width)
        }
        self.request = request
        self.format = format
    }

    /// What `parts` ask for, by its names.
    static func items(_ parts: [String]) -> [QueryItem] {
        zip(["region", "size", "rotation", "quality"], parts).map { QueryItem(name: $0, value: $1) }
    }

    // MARK: Parts

    private static func region(_ text: String) throws(ParameterFault.Reason) -> CropRegion? {
        let allowed = "full, square, x,y,w,h in pixels, or pct:x,y,w,h in percent; w and h above 0"
        switch text {
        case "full": return nil
        case "square": return .ratio(width: 1, height: 1, .center)
        default: break
        }
        let isPercent = text.hasPrefix("pct:")
        let numbers = (isPercent ? text.dropFirst(4) : text[...])
            .split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
        guard numbers.count == 4 else { throw .malformed(allowed: allowed) }
        guard isPercent else {
            return .pixels(
                PixelRect(
                    x: try PlainNumber.int(numbers[0], in: 0...pixelLimit, allowed: allowed),
                    y: try PlainNumber.int(numbers[1], in: 0...pixelLimit, allowed: allowed),
                    widthPx: try PlainNumber.int(numbers[2], in: 1...pixelLimit, allowed: allowed),
                    heightPx: try PlainNumber.int(numbers[3], in: 1...pixelLimit, allowed: allowed)))
        }
        func part(_ text: Substring, _ range: ClosedRange<PlainDecimal>) throws(ParameterFault.Reason) -> PlainDecimal {
            PlainDecimal(billionths: try PlainNumber.decimal(text, in: range, allowed: allowed).billionths / 100)
        }
        func extent(_ text: Substring) throws(ParameterFault.Reason) -> PlainDecimal {
            min(1, try part(text, 0.0000001...1_000_000))
        }
        return .fractions(
            x: try part(numbers[0], 0...100), y: try part(numbers[1], 0...100), width: try extent(numbers[2]),
            height: try extent(numbers[3]))
    }

    private static func size(
        _ text: String, _ version: IIIFPath.Version, limitPx: Int, _ request: inout ImageRequest
    ) throws(ParameterFault.Reason) {
        let allowed = """
            \(version == .two ? "full, max, " : "max, ")w, or ,h or w,h or !w,h with 1 to \(limitPx) pixels, or pct:n\
            \(version == .three ? ", each with ^ before it where the image may be enlarged" : "")
            """
        let mayEnlarge = version == .two || text.hasPrefix("^")
        let text = version == .three && text.hasPrefix("^") ? text.dropFirst() : text[...]
        request.mayEnlarge = true
        request.refusesEnlarging = !mayEnlarge
        if text == "max" || version == .two && text == "full" {
            (request.mayEnlarge, request.refusesEnlarging) = (mayEnlarge && version == .three, false)
            // Without a box it is the region, which no drawing grows beyond either.
            if request.mayEnlarge { (request.width, request.height) = (.pixels(limitPx), .pixels(limitPx)) }
            return
        }
        if text.hasPrefix("pct:") {
            let percent = try PlainNumber.decimal(text.dropFirst(4), in: 0.01...1000, allowed: allowed)
            (request.width, request.height, request.fit) = (.percent(percent), .percent(percent), .fill)
            return
        }
        let isConfined = text.hasPrefix("!")
        let sides = (isConfined ? text.dropFirst() : text).split(
            separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard sides.count == 2, !(sides[0].isEmpty && sides[1].isEmpty) else { throw .malformed(allowed: allowed) }
        func side(_ text: Substring) throws(ParameterFault.Reason) -> BoxLength? {
            if text.isEmpty { return nil }
            // A box may be larger than what the server makes: the image in it is as large as possible (§4.2).
            let longest = isConfined ? pixelLimit : limitPx
            return .pixels(min(limitPx, try PlainNumber.int(text, in: 1...longest, allowed: allowed)))
        }
        (request.width, request.height) = (try side(sides[0]), try side(sides[1]))
        guard isConfined else {
            if request.width != nil, request.height != nil { request.fit = .fill }
            return
        }
        guard request.width != nil, request.height != nil else { throw .malformed(allowed: allowed) }
    }

    private static func rotate(_ text: String, _ request: inout ImageRequest) throws(ParameterFault.Reason) {
        let allowed = "degrees from 0 to 360, with ! before them where the image is mirrored first"
        let isMirrored = text.hasPrefix("!")
        let degrees = try PlainNumber.decimal(isMirrored ? text.dropFirst() : text[...], in: 0...360, allowed: allowed)
        if isMirrored { request.flip = .horizontal }
        let quarter: Int64 = 90_000_000_000
        let (turns, rest) = degrees.billionths.quotientAndRemainder(dividingBy: quarter)
        request.rotation =
            rest == 0 ? .upright(quarterTurns: Int(turns & 3)) : .arbitrary(degrees: degrees, isStraightened: false)
    }

    private static func filters(_ quality: String, _ version: IIIFPath.Version) throws(ParameterFault.Reason)
        -> [ImageFilter]
    {
        switch quality {
        case "default", "color": return []
        case "gray": return [.grayscale]
        case "bitonal": return [.threshold(level: 128)]
        default: throw .malformed(allowed: ParameterReader.list(qualities))
        }
    }
}
