import Parameters

/// What is added around the image after it is fitted to its box, in the order of CSS: the result is larger by it.
package struct Padding: Hashable, Sendable, Codable {
    /// Pixels, 0–4096, before `scale`, or percent, 0–100, of the shorter side of the fitted image.
    package var top: BoxLength
    package var right: BoxLength
    package var bottom: BoxLength
    package var left: BoxLength
}

extension Padding {
    private static let pixelLimit = 4096
    private static let allowed =
        "one to four lengths as in CSS, separated by commas, each a whole number of pixels from 0 to \(pixelLimit) or a percentage of the shorter side such as 10p, up to 100p"

    /// Reads `20`, `20,10p`, `20,0,40` or `1,2,3,4`.
    static func parse(_ text: String) throws(ParameterFault.Reason) -> Padding {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard 1...4 ~= parts.count else { throw .malformed(allowed: allowed) }
        var lengths: [BoxLength] = []
        for part in parts { lengths.append(try length(part)) }
        let right = lengths.count > 1 ? lengths[1] : lengths[0]
        return Padding(
            top: lengths[0], right: right, bottom: lengths.count > 2 ? lengths[2] : lengths[0],
            left: lengths.count > 3 ? lengths[3] : right)
    }

    private static func length(_ text: Substring) throws(ParameterFault.Reason) -> BoxLength {
        guard text.utf8.last == UInt8(ascii: "p") else {
            return .pixels(try PlainNumber.int(text, in: 0...pixelLimit, allowed: allowed))
        }
        let percent = try PlainNumber.decimal(text.dropLast(), in: 0...100, allowed: allowed)
        return percent == 0 ? .pixels(0) : .percent(percent)
    }

    /// The fewest lengths that say it.
    var canonical: String {
        var lengths = [top, right, bottom, left]
        if left == right { lengths.removeLast() }
        if lengths.count == 3, bottom == top { lengths.removeLast() }
        if lengths.count == 2, right == top { lengths.removeLast() }
        return lengths.map(\.canonical).joined(separator: ",")
    }

    var isEmpty: Bool { [top, right, bottom, left].allSatisfy { $0 == .pixels(0) } }

    var hasPixels: Bool {
        [top, right, bottom, left].contains { if case .pixels(let count) = $0 { count > 0 } else { false } }
    }

    /// With pixels multiplied by `scale`.
    func scaled(by scale: PlainDecimal) -> Padding {
        func scaled(_ length: BoxLength) -> BoxLength {
            guard case .pixels(let count) = length else { return length }
            return .pixels(scale.multiplied(by: count) ?? count)
        }
        return Padding(top: scaled(top), right: scaled(right), bottom: scaled(bottom), left: scaled(left))
    }

    /// In pixels, around an image of `size`.
    func margins(around size: PixelSize, scale: PlainDecimal) -> Margins {
        let shorter = min(size.widthPx, size.heightPx)
        func side(_ length: BoxLength) -> Int {
            let limit = 1 << 31
            let side =
                switch length {
                case .pixels(let count): scale.multiplied(by: count)
                case .percent(let percent): percent.multiplied(by: shorter, dividedBy: 100)
                }
            return min(side ?? limit, limit)
        }
        return Margins(top: side(top), right: side(right), bottom: side(bottom), left: side(left))
    }
}

/// Whole pixels on each side of an image.
struct Margins: Equatable {
    var top = 0
    var right = 0
    var bottom = 0
    var left = 0

    func around(_ size: PixelSize) -> PixelSize {
        PixelSize(widthPx: size.widthPx + left + right, heightPx: size.heightPx + top + bottom)
    }

    /// Rounded down.
    func shrunk(by length: Int, of whole: Int) -> Margins {
        Margins(
            top: top * length / whole, right: right * length / whole, bottom: bottom * length / whole,
            left: left * length / whole)
    }
}
