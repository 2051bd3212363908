final class Group {
    let pixels: UnsafeMutableBufferPointer<UInt32>

    init(pixelCount: Int) {
        // Spans are worked on eight pixels at a time; the last may lie behind the picture.
        let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: pixelCount + SpanBlender.width)
        memory.initialize(repeating: 0)
        pixels = UnsafeMutableBufferPointer(rebasing: memory[..<pixelCount])
    }

    deinit { pixels.deallocate() }

    func composite(over below: UnsafeMutableBufferPointer<UInt32>, opacity: UInt8) {
        let strength = UInt32(opacity)
        for index in pixels.indices {
            let pixel = UInt32(littleEndian: pixels[index])
            if pixel == 0 { continue }
            PixelBlender.blend(strength == 255 ? pixel : PixelBlender.scaled(pixel, by: strength), onto: &below[index])
        }
    }
}
