/// Draws line meshes, triangle by triangle, as a graphics card does.
struct LineRasteriser {
    /// Consecutive pairs of a strip whose long sides are this near to parallel, in pixels, are one shape.
    private static let parallelTolerance: Float = 0.06

    private static let verticesPerQuestion = 8192

    /// O(vertices + covered pixels); allocates few bytes for each paint.
    static func draw(_ mesh: LineMesh, on canvas: borrowing Canvas, shouldStop: () -> Bool) throws(RasterError) {
        try mesh.vertices.withUnsafeBufferPointer { vertices throws(RasterError) in
            var start = 0
            var paint = -1
            var plain: PlainLine?
            var rich: RichLine?
            var verticesAtQuestion = 0
            for strip in mesh.strips {
                if start - verticesAtQuestion > verticesPerQuestion {
                    verticesAtQuestion = start
                    if shouldStop() { throw .cancelled }
                }
                if strip.paint != paint {
                    paint = strip.paint
                    plain = PlainLine(mesh.paints[paint])
                    rich = RichLine(mesh.paints[paint])
                }
                let run = UnsafeBufferPointer(rebasing: vertices[start..<strip.end])
                start = strip.end
                if let plain, mesh.isPlan {
                    drawPlain(run, plain, canvas)
                } else if let rich {
                    forEachTriangle(run) { rich.draw($0, on: canvas) }
                }
            }
        }
    }

    @inline(__always)
    private static func forEachTriangle(
        _ run: UnsafeBufferPointer<LineVertex>, _ body: (Triangle<LineVertex>) -> Void
    ) {
        var left = -1
        var right = -1
        for index in run.indices {
            if left >= 0, right >= 0 { body(Triangle(a: run[left], b: run[index], c: run[right])) }
            if run[index].side > 0 { right = index } else { left = index }
        }
    }

    private static func drawPlain(
        _ run: UnsafeBufferPointer<LineVertex>, _ line: PlainLine, _ canvas: borrowing Canvas
    ) {
        var left = -1
        var right = -1
        var index = 0
        while index < run.count {
            let vertex = run[index]
            if left >= 0, right >= 0 {
                // A pair after a pair is a quadrilateral, if its sides are parallel.
                if vertex.side < 0, index + 1 < run.count, run[index + 1].side > 0,
                    run[left].roundness | run[right].roundness | vertex.roundness | run[index + 1].roundness == 0,
                    line.drawSegment(
                        Corners(a: run[left].place, b: vertex.place, c: run[index + 1].place, d: run[right].place),
                        tolerance: parallelTolerance, on: canvas)
                {
                    left = index
                    right = index + 1
                    index += 2
                    continue
                }
                line.draw(Triangle(a: run[left], b: vertex, c: run[right]), on: canvas)
            }
            if vertex.side > 0 { right = index } else { left = index }
            index += 1
        }
    }
}
