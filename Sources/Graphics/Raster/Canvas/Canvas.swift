/// What commands draw on: RGBA8 premultiplied words, and the clip. The memory is the picture's; see `Rasteriser`.
struct Canvas: ~Copyable {
    /// Row-major: those of the picture, or of a group.
    var pixels: UnsafeMutableBufferPointer<UInt32>
    let widthPx: Int, heightPx: Int
    var clip: ClipRows

    init(pixels: UnsafeMutableBufferPointer<UInt32>, widthPx: Int, heightPx: Int) {
        (self.pixels, self.widthPx, self.heightPx) = (pixels, widthPx, heightPx)
        clip = ClipRows(widthPx: widthPx, heightPx: heightPx)
    }

    /// Columns from `start` up to `end` may be painted; `end` is not above `start` when there are none.
    struct Row {
        var pixels: UnsafeMutableBufferPointer<UInt32>
        var start: Int, end: Int
    }

    @inline(__always) func row(_ index: Int) -> Row {
        let first = index * widthPx
        return Row(
            pixels: UnsafeMutableBufferPointer(rebasing: pixels[first..<(first + widthPx)]),
            start: Int(clip.starts[index]), end: Int(clip.ends[index]))
    }
}
