struct DrawPass: ~Copyable {
    let list: DisplayList
    let shouldStop: () -> Bool
    var canvas: Canvas
    var band: CoverageBand
    var stroker: Stroker
    var distances = DistanceRow()

    init(_ list: DisplayList, _ canvas: consuming Canvas, _ shouldStop: @escaping () -> Bool) {
        (self.list, self.shouldStop) = (list, shouldStop)
        band = CoverageBand(widthPx: canvas.widthPx, heightPx: canvas.heightPx)
        stroker = Stroker(widthPx: canvas.widthPx)
        self.canvas = canvas
    }

    mutating func run() throws(RasterError) {
        let pixels = canvas.pixels
        var clip: Int?
        var group: Group?
        var depths: DepthBuffer?
        for command in list.commands {
            if shouldStop() { throw .cancelled }
            if command.clip != clip {
                clip = command.clip
                canvas.clip.set(clip.map { list.clips[$0] })
            }
            switch command.shape {
            case .fill(let range, let coverage, let paint): try fill(list.parts(range), coverage, paint)
            case .stroke(let range, let style, let color): try stroke(list.parts(range), style, PixelBlender(color))
            case .discs(let range): try paint(list.discs[range])
            case .tiltedDisc(let range, let disc): try fill(list.parts(range), .centres, disc)
            case .face(let range, let index):
                let buffer = depths ?? DepthBuffer(pixelCount: pixels.count)
                depths = buffer
                try paint(list.faces[index], list.parts(range), buffer)
            case .quads(let range, let style): try paint(range, style)
            case .lines(let mesh): try LineRasteriser.draw(mesh, on: canvas, shouldStop: shouldStop)
            case .surface(let surface): surface.draw(on: canvas)
            case .densities(let map): try map.draw(on: canvas, shouldStop: shouldStop)
            case .beginGroup:
                guard group == nil else { continue }
                let started = Group(pixelCount: pixels.count)
                canvas.pixels = started.pixels
                group = started
            case .endGroup(let opacity):
                group?.composite(over: pixels, opacity: opacity)
                canvas.pixels = pixels
                group = nil
            }
        }
    }

    private func paint(_ discs: ArraySlice<Disc>) throws(RasterError) {
        var check = StopCheck(shouldStop)
        for disc in discs {
            let side = Int(min(Double(max(canvas.widthPx, canvas.heightPx)), disc.radius * 2 + 2))
            try check.count(64 + min(side, canvas.widthPx) * min(side, canvas.heightPx))
            disc.draw(on: canvas)
        }
    }
}

/// Counts pixels of shapes that lie one over the other, and asks after some millions whether to stop.
struct StopCheck {
    private let shouldStop: () -> Bool
    private var pixelCount = 0

    init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }

    mutating func count(_ pixels: Int) throws(RasterError) {
        pixelCount += pixels
        guard pixelCount > Rasteriser.pixelsPerQuestion else { return }
        pixelCount = 0
        if shouldStop() { throw .cancelled }
    }
}
