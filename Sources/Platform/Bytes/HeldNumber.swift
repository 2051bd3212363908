extension FixedWidthInteger {
    /// `value` rounded towards zero and held to `range`; what is no number becomes the lower bound.
    ///
    /// The bare conversion ends the process for NaN, infinity and numbers that are too large: `scripts/lint` wants this one.
    @inlinable
    package init<Number: BinaryFloatingPoint>(held value: Number, in range: ClosedRange<Self>) {
        // No comparison with NaN holds.
        guard value > Number(range.lowerBound) else {
            self = range.lowerBound
            return
        }
        self = value < Number(range.upperBound) ? Self(value) : range.upperBound
    }
}

extension BinaryFloatingPoint {
    /// The number held to `range`; what is none becomes the lower bound.
    @inlinable
    package func held(to range: ClosedRange<Self>) -> Self {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}
