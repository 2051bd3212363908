extension FixedWidthInteger {
    /// Rounds towards zero and clamps to `range`; NaN becomes the lower bound. The bare conversion traps, so lint refuses it.
    @inlinable package init<Number: BinaryFloatingPoint>(held value: Number, in range: ClosedRange<Self>) {
        // No comparison with NaN holds.
        guard value > Number(range.lowerBound) else {
            self = range.lowerBound
            return
        }
        self = value < Number(range.upperBound) ? Self(value) : range.upperBound
    }
}

extension BinaryFloatingPoint {
    /// NaN becomes the lower bound.
    @inlinable package func held(to range: ClosedRange<Self>) -> Self {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}
