import CVips

/// One operation on a pixel; `cvips_point` documents the numbers.
struct FilterPoint {
    let kind: cvips_point_kind
    var numbers: [Double] = []
    var table: [Float] = []
    var size = 0
    /// One table for each color.
    var hasThree = false
    /// Of tiles.
    var columns = 0
    var rows = 0
    var seed = 0

    init(_ kind: cvips_point_kind, _ numbers: [Double] = []) {
        self.kind = kind
        self.numbers = numbers
    }

    /// A curve after others, or of 16-bit samples. The table is within a tenth of an 8-bit level of the function.
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

    func raw(table: UnsafePointer<Float>) -> cvips_point {
        var point = unsafe cvips_point()
        unsafe point.kind = kind
        unsafe withUnsafeMutableBytes(of: &point.numbers) { memory in
            let floats = unsafe memory.bindMemory(to: Float.self)
            for (index, number) in zip(floats.indices, numbers) { unsafe floats[index] = Float(number) }
        }
        unsafe point.table = table
        unsafe point.size = size.cInt
        unsafe point.has_three = hasThree ? 1 : 0
        unsafe point.columns = columns.cInt
        unsafe point.rows = rows.cInt
        unsafe point.seed = UInt64(bitPattern: Int64(seed))
        return unsafe point
    }
}
