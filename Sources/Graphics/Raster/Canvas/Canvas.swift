/// What commands draw on: RGBA8 premultiplied words, and the clip in force. The memory is the picture's; see `Rasteriser`.
struct Canvas: ~Copyable {
    /// All pixels, row-major: those of the picture, or of a group.
    var pixels: UnsafeMutableBufferPointer<UInt32>
    let widthPx: Int
    let heightPx: Int
    var clip: ClipRows

    init(pixels: UnsafeMutableBufferPointer<UInt32>, widthPx: Int, heightPx: Int) {
        self.pixels = pixels
        self.widthPx = widthPx
        self.heightPx = heightPx
        clip = ClipRows(widthPx: widthPx, heightPx: heightPx)
    }

    /// A row, and which of its pixels may be painted.
    struct Row {
        var pixels: UnsafeMutableBufferPointer<UInt32>
        /// The first column that may be painted.
        var start: Int
        /// The column after the last; not above `start` when there is none.
        var end: Int
    }

    @inline(__always)
    func row(_ index: Int) -> Row {
        let first = index * widthPx
        return Row(
            pixels: UnsafeMutableBufferPointer(rebasing: pixels[first..<(first + widthPx)]),
            start: Int(clip.starts[index]), end: Int(clip.ends[index]))
    }
}
