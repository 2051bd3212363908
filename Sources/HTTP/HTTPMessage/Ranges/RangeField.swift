import Bytes

/// The byte ranges that a Range field asks for (RFC 9110 §14.1.2, §14.2).
package struct RangeField: Equatable, Sendable {
    /// One range as it was asked for.
    package enum Spec: Equatable, Sendable {
        /// `first-last`, or `first-` without a `last`; both positions count from 0 and belong to the range.
        case positions(first: Int, last: Int?)
        /// `-count`: the last bytes.
        case suffix(byteCount: Int)
    }

    /// How many ranges a field may ask for. One with more is taken for a broken or hostile client's and ignored, as
    /// §14.2 allows; players and readers of documents ask for one or a few.
    package static let specLimit = 16

    /// The ranges in the order of the field, one at least and `specLimit` at most.
    package let specs: [Spec]

    /// Reads `value`, or gives nil when it has to be ignored: another unit than `bytes`, a range that is malformed or
    /// ends before it begins, none at all, or more than `specLimit`.
    ///
    /// Empty elements of the list and white space around elements are read past. A position that no integer holds
    /// counts as the largest one, which lies behind the end of everything. Linear in the bytes.
    package init?(_ value: RawSpan) {
        guard let unitEnd = Self.firstIndex(of: UInt8(ascii: "="), in: value),
            value.extracting(0..<unitEnd).equalsIgnoringCase("bytes")
        else { return nil }
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

    /// As `init(_:)` for bytes.
    package init?(_ text: String) {
        self.init(text.utf8.span.bytes)
    }

    /// Which bytes of a representation of `byteCount` the ranges select.
    ///
    /// Ranges that overlap or touch become one, in the place of the first of them (§15.3.7.2), so that no byte is sent
    /// twice. Of an empty representation a suffix selects all there is, which no 206 can say: that is `.whole`.
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

    /// Adds `range` to ranges of which no two touch, and keeps it that way.
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

    private static func firstIndex(of byte: UInt8, in value: RawSpan) -> Int? {
        for index in 0..<value.byteCount where value.byte(index) == byte { return index }
        return nil
    }
}

extension RangeField.Spec {
    /// Reads one element of the list; nil when it is malformed or ends before it begins.
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

    /// The bytes of a representation of `byteCount`, cut at its end; nil when there are none (§14.1.2). A suffix of an
    /// empty representation is empty.
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
