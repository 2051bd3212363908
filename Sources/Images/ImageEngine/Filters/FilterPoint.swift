import CVips

/// One thing that happens to a pixel; `cvips_point` says what the numbers mean.
struct FilterPoint {
    let kind: cvips_point_kind
    var numbers: [Double] = []
    var table: [Float] = []
    /// Of a table: how fine it is.
    var size = 0
    /// Of a table: whether there is one for each color.
    var hasThree = false
    /// Of tiles.
    var columns = 0
    /// Of tiles.
    var rows = 0
    var seed = 0

    init(_ kind: cvips_point_kind, _ numbers: [Double] = []) {
        self.kind = kind
        self.numbers = numbers
    }

    /// A curve in the midst of others, or of 16-bit samples. The table is within a tenth of a level of the function at 8 bits.
    init(_ curve: FilterCurve, isWide: Bool) {
        if let line = curve.line {
            self.init(CVIPS_POINT_LINEAR, [line.factor, line.offset])
            return
        }
        self.init(CVIPS_POINT_TABLE)
        size = isWide ? 16384 : 4096
        hasThree = curve.colors.count == 3
        table = curve.table(size: size)
    }

    /// As C wants it, with the table at `table`.
    func raw(table: UnsafePointer<Float>) -> cvips_point {
        var point = unsafe cvips_point()
        unsafe point.kind = kind
        unsafe withUnsafeMutableBytes(of: &point.numbers) { memory in
            let floats = unsafe memory.bindMemory(to: Float.self)
            for (index, number) in zip(floats.indices, numbers) { unsafe floats[index] = Float(number) }
        }
        unsafe point.table = table
        unsafe point.size = Int32(clamping: size)
        unsafe point.has_three = hasThree ? 1 : 0
        unsafe point.columns = Int32(clamping: columns)
        unsafe point.rows = Int32(clamping: rows)
        unsafe point.seed = UInt64(bitPattern: Int64(seed))
        return unsafe point
    }
}
