import Parameters

enum CropText: Equatable {
    case region(UnplacedRegion)
    /// Cover the box, and keep that part.
    case gravity(Gravity)

    /// A region that may still take the gravity of the `gravity` parameter.
    enum UnplacedRegion: Equatable {
        case rectangle(CropRegion)
        case size(PixelSize, Gravity?)
        case ratio(width: PlainDecimal, height: PlainDecimal, Gravity?)

        func placed(by gravity: Gravity) -> CropRegion {
            switch self {
            case .rectangle(let region): region
            case .size(let size, let own): .size(size, own ?? gravity)
            case .ratio(let width, let height, let own): .ratio(width: width, height: height, own ?? gravity)
            }
        }
    }

    static let pixelLimit = 1_000_000

    private static let allowed =
        "x,y,width,height in pixels or, with decimal points, in fractions from 0 to 1; WIDTHxHEIGHT, a ratio such as "
        + "16:9 or square, each with an optional gravity after a comma; or a gravity"

    static func parse(_ text: String) throws(ParameterFault.Reason) -> CropText {
        let parts = text.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
        if parts.count == 4 { return .region(.rectangle(try rectangle(parts, isFractional: text.contains(".")))) }
        if let gravity = try Gravity.named(text) { return .gravity(gravity) }
        // A pair of whole numbers is a size; a focal point has a decimal point.
        if parts.count == 1, text.contains("."), let focus = try Gravity.focalPoint(text, allowed: allowed) {
            return .gravity(focus)
        }
        guard let first = parts.first else { throw .malformed(allowed: allowed) }
        let gravity =
            parts.count == 1 ? nil : try Gravity.parse(parts.dropFirst().joined(separator: ","), allowed: allowed)
        if first == "square" { return .region(.ratio(width: 1, height: 1, gravity)) }
        if let (width, height) = pair(first, around: ":") {
            let range: ClosedRange<PlainDecimal> = 0.001...100_000
            return .region(ratio(try decimal(width, range), try decimal(height, range), gravity))
        }
        if let (width, height) = pair(first, around: "x") {
            let size = PixelSize(widthPx: try int(width, 1...pixelLimit), heightPx: try int(height, 1...pixelLimit))
            return .region(.size(size, gravity))
        }
        throw .malformed(allowed: allowed)
    }

    private static func rectangle(
        _ parts: [Substring], isFractional: Bool
    ) throws(ParameterFault.Reason) -> CropRegion {
        guard isFractional else {
            return .pixels(
                PixelRect(
                    x: try int(parts[0], -pixelLimit...pixelLimit), y: try int(parts[1], -pixelLimit...pixelLimit),
                    widthPx: try int(parts[2], 1...pixelLimit), heightPx: try int(parts[3], 1...pixelLimit)))
        }
        return .fractions(
            x: try decimal(parts[0], 0...1), y: try decimal(parts[1], 0...1),
            width: try decimal(parts[2], 0.000000001...1), height: try decimal(parts[3], 0.000000001...1))
    }

    /// In lowest whole terms: `32:18` and `1.6:0.9` are `16:9`. Ratios with terms over 100,000 stay as they are.
    private static func ratio(_ width: PlainDecimal, _ height: PlainDecimal, _ gravity: Gravity?) -> UnplacedRegion {
        var (divisor, rest) = (width.billionths, height.billionths)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        let (terms, limit) = ((width.billionths / divisor, height.billionths / divisor), Int64(100_000))
        guard max(terms.0, terms.1) <= limit else { return .ratio(width: width, height: height, gravity) }
        return .ratio(
            width: PlainDecimal(billionths: terms.0 * 1_000_000_000),
            height: PlainDecimal(billionths: terms.1 * 1_000_000_000), gravity)
    }

    private static func pair(_ text: Substring, around separator: Character) -> (Substring, Substring)? {
        let halves = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        return halves.count == 2 ? (halves[0], halves[1]) : nil
    }

    private static func int(_ text: Substring, _ range: ClosedRange<Int>) throws(ParameterFault.Reason) -> Int {
        try PlainNumber.int(text, in: range, allowed: allowed)
    }

    private static func decimal(
        _ text: Substring, _ range: ClosedRange<PlainDecimal>
    ) throws(ParameterFault.Reason) -> PlainDecimal { try PlainNumber.decimal(text, in: range, allowed: allowed) }
}
