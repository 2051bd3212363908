extension FixedWidthInteger {
    /// Rounds towards zero and clamps to `range`; NaN becomes the lower bound. The bare conversion traps, so lint refuses it.
    @inlinable package init<Number: BinaryFloatingPoint>(held value: Number, in range: ClosedRange<Self>) {
        // No comparison with NaN holds.
        guard value > Number(range.lowerBound) else {
            self = range.lowerBound
            return
        }
        guard value < Number(range.upperBound) else {
            self = range.upperBound
            return
        }
        // Between two types that are both generic no instruction of the processor is used.
        self = value.magnitude < 0x1p62 ? Self(truncatingIfNeeded: Int64(Double(value))) : Self(value)
    }
}

extension BinaryFloatingPoint {
    /// NaN becomes the lower bound.
    @inlinable package func held(to range: ClosedRange<Self>) -> Self {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}
