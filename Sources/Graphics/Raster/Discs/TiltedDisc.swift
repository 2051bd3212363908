/// A disc on a plane in space: its mapping has 0 in the middle and 1 at the rim.
struct TiltedDisc: RunPainter {
    let disc: Disc
    let mapping: Face.Mapping

    // Rings go around it once.
    let isOpaque = true

    func paint(_ line: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, row: Int, coverage: UInt32) {
        for column in start..<end {
            let place = SIMD3(Double(column) + 0.5, Double(row) + 0.5, 1)
            let s = (mapping.s * place).sum()
            let t = (mapping.t * place).sum()
            let distance = (s * s + t * t).squareRoot() / (mapping.inverseDistance * place).sum()
            guard distance >= 0, distance < 1 else { continue }
            PixelBlender.blend(Disc.packed(disc.color(at: distance)), onto: &line[column])
        }
    }
}
