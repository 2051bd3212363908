protocol RunPainter {
    /// Full coverage hides what is below.
    var isOpaque: Bool { get }

    /// Paints columns from `start` up to `end` of `line`, the canvas's row `row`, with coverage 1…255 of 255.
    func paint(_ line: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, row: Int, coverage: UInt32)
}
