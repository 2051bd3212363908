package import Parameters

/// The rectangle that a filter changes, counted in the image as filters see it: turned, sized and padded. All of it is
/// covered: fractions of pixels are rounded outwards.
package struct FilterRegion: Hashable, Sendable, Codable {
    package enum Length: Hashable, Sendable, Codable {
        /// Before `scale`, in a plan after it.
        case pixels(PlainDecimal)
        /// Percent of the image's width or height, 0–100.
        case percent(PlainDecimal)
    }

    package var x: Length
    package var y: Length
    /// More than 0.
    package var width: Length
    /// More than 0.
    package var height: Length

    package init(x: Length, y: Length, width: Length, height: Length) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The part of an image of `size`; nil if nothing of it lies inside.
    package func rect(in size: PixelSize) -> PixelRect? {
        guard let columns = Self.range(from: x, width, within: size.widthPx),
            let rows = Self.range(from: y, height, within: size.heightPx)
        else { return nil }
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, widthPx: columns.count, heightPx: rows.count)
    }

    private static func range(from start: Length, _ length: Length, within side: Int) -> Range<Int>? {
        let low = start.hundredBillionths(of: side)
        let high = low + length.hundredBillionths(of: side)
        let unit = Int128(100_000_000_000)
        let first = Int(min(low / unit, Int128(side)))
        let end = Int(min((high + unit - 1) / unit, Int128(side)))
        return first < end ? first..<end : nil
    }
}

extension FilterRegion {
    func scaled(by scale: PlainDecimal) -> FilterRegion {
        FilterRegion(
            x: x.scaled(by: scale), y: y.scaled(by: scale), width: width.scaled(by: scale),
            height: height.scaled(by: scale))
    }

    var lengths: [Length] { [x, y, width, height] }
}

extension FilterRegion.Length {
    fileprivate func scaled(by scale: PlainDecimal) -> Self {
        if case .pixels(let count) = self { .pixels(count.multiplied(by: scale) ?? count) } else { self }
    }

    /// In units of 10⁻¹¹ pixels, exact.
    fileprivate func hundredBillionths(of side: Int) -> Int128 {
        switch self {
        case .pixels(let count): Int128(count.billionths) * 100
        case .percent(let percent): Int128(percent.billionths) * Int128(side)
        }
    }

    /// Reads `12`, `12.5` or `10p`.
    static func parse(_ text: Substring, isSize: Bool, allowed: String) throws(ParameterFault.Reason) -> Self {
        let isPercent = text.utf8.last == UInt8(ascii: "p")
        let number = try PlainNumber.decimal(
            isPercent ? text.dropLast() : text, in: 0...(isPercent ? 100 : 16384), allowed: allowed)
        if isSize, number == 0 { throw .outOfRange(allowed: allowed) }
        return isPercent ? .percent(number) : .pixels(number)
    }

    var canonical: String {
        switch self {
        case .pixels(let count): count.description
        case .percent(let percent): "\(percent)p"
        }
    }
}
