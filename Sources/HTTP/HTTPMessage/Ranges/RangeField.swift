import Bytes

/// The byte ranges of a Range field (RFC 9110 §14.1.2, §14.2).
package struct RangeField: Equatable, Sendable {
    package enum Spec: Equatable, Sendable {
        /// `first-last` or `first-`; both positions count from 0 and belong to the range.
        case positions(first: Int, last: Int?)
        /// `-count`: the last bytes.
        case suffix(byteCount: Int)
    }

    /// More ranges are a broken or hostile client's: the field is ignored then, as §14.2 allows.
    package static let specLimit = 16

    package let specs: [Spec]

    /// Nil if `value` has to be ignored: another unit, a malformed or backward range, none, or more than `specLimit`.
    package init?(_ value: RawSpan) {
        let unitEnd = value.position(of: UInt8(ascii: "="), from: 0)
        guard unitEnd < value.byteCount, value.extracting(0..<unitEnd).equalsIgnoringCase("bytes") else { return nil }
        var specs: [Spec] = []
        var isValid = true
        ListElements.forEach(in: value.extracting((unitEnd + 1)..<value.byteCount)) { element in
            guard isValid, !element.isEmpty else { return }
            if specs.count < Self.specLimit, let spec = Spec(element) {
                specs.append(spec)
            } else {
                isValid = false
            }
        }
        guard isValid, !specs.isEmpty else { return nil }
        self.specs = specs
    }

    package init?(_ text: String) { self.init(text.utf8.span.bytes) }

    /// Ranges that overlap or touch become one (§15.3.7.2). A suffix of nothing is `.whole`: no 206 can say that.
    package func selection(of byteCount: Int) -> RangeSelection {
        var ranges: [Range<Int>] = []
        var isEmptySuffix = false
        for spec in specs {
            guard let range = spec.bytes(of: byteCount) else { continue }
            if range.isEmpty { isEmptySuffix = true } else { Self.add(range, to: &ranges) }
        }
        guard let first = ranges.first else { return isEmptySuffix ? .whole : .unsatisfiable }
        return ranges.count == 1 ? .single(first) : .multiple(ranges)
    }

    /// Adds `range` to ranges that do not touch each other, and merges it with those it touches.
    private static func add(_ range: Range<Int>, to ranges: inout [Range<Int>]) {
        var merged = range
        var place = ranges.count
        for index in ranges.indices.reversed() {
            let other = ranges[index]
            guard other.lowerBound <= range.upperBound, range.lowerBound <= other.upperBound else { continue }
            merged = min(merged.lowerBound, other.lowerBound)..<max(merged.upperBound, other.upperBound)
            ranges.remove(at: index)
            place = index
        }
        ranges.insert(merged, at: place)
    }
}

extension RangeField.Spec {
    fileprivate init?(_ element: RawSpan) {
        var index = 0
        let first = Self.number(in: element, at: &index)
        guard index < element.byteCount, element.byte(index) == UInt8(ascii: "-") else { return nil }
        index += 1
        let last = Self.number(in: element, at: &index)
        guard index == element.byteCount else { return nil }
        if let first {
            if let last, last < first { return nil }
            self = .positions(first: first, last: last)
        } else {
            guard let last else { return nil }
            self = .suffix(byteCount: last)
        }
    }

    /// Cut at the end of the representation; nil when no byte is left (§14.1.2), but empty for a suffix of an empty one.
    fileprivate func bytes(of byteCount: Int) -> Range<Int>? {
        switch self {
        case .positions(let first, let last):
            guard first < byteCount else { return nil }
            return first..<(min(last ?? byteCount - 1, byteCount - 1) + 1)
        case .suffix(let count):
            guard count > 0 else { return nil }
            return max(0, byteCount - count)..<byteCount
        }
    }

    private static func number(in bytes: RawSpan, at index: inout Int) -> Int? {
        let start = index
        var value = 0
        while index < bytes.byteCount, ASCII.isDigit(bytes.byte(index)) {
            let (product, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isSumOver) = product.addingReportingOverflow(Int(bytes.byte(index)) - 0x30)
            value = isOver || isSumOver ? .max : sum
            index += 1
        }
        return index == start ? nil : value
    }
}
