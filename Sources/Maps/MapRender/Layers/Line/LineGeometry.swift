import Raster

extension LineTessellator {
    struct Vector: Equatable {
        var x, y: Double

        @inline(__always) static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y) }
        @inline(__always) static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y) }
        @inline(__always) static func * (a: Vector, factor: Double) -> Vector {
            Vector(x: a.x * factor, y: a.y * factor)
        }

        @inline(__always) var length: Double { (x * x + y * y).squareRoot() }

        @inline(__always) var unit: Vector {
            let length = length
            return length > 0 ? Vector(x: x / length, y: y / length) : self
        }

        @inline(__always) var normal: Vector {
            let unit = unit
            return Vector(x: -unit.y, y: unit.x)
        }

        var rounded: Vector { Vector(x: x.rounded(), y: y.rounded()) }
    }

    struct Path {
        let vertices: UnsafeBufferPointer<TileVertex>
        let isClosed: Bool
        var first = 0
        var end: Int

        init(vertices: UnsafeBufferPointer<TileVertex>, isClosed: Bool) {
            (self.vertices, self.isClosed) = (vertices, isClosed)
            end = vertices.count + (isClosed && !vertices.isEmpty ? 1 : 0)
        }

        @inline(__always) subscript(index: Int) -> Vector {
            let vertex = vertices[index < vertices.count ? index : 0]
            return Vector(x: Double(vertex.x), y: Double(vertex.y))
        }

        mutating func trim() -> Bool {
            while end >= 2, self[end - 1] == self[end - 2] { end -= 1 }
            while first < end - 1, self[first] == self[first + 1] { first += 1 }
            return end - first >= (isClosed ? 3 : 2)
        }
    }

    struct Turn {
        /// The normals of the segments that end and begin here.
        var before: Vector, after: Vector
        /// Halfway between; zero when the line goes back on itself.
        var join: Vector
        /// Of the whole angle, and of half of it.
        var angleCosine: Double, cosine: Double
        /// From the line to the corner of a miter, in half widths.
        var miterLength: Double

        @inline(__always) init(before: Vector, after: Vector) {
            (self.before, self.after) = (before, after)
            join = (before + after).unit
            angleCosine = before.x * after.x + before.y * after.y
            cosine = join.x * after.x + join.y * after.y
            miterLength = cosine != 0 ? 1 / cosine : .infinity
        }

        var isLeft: Bool { before.x * after.y - before.y * after.x > 0 }

        var flipped: Vector {
            if miterLength > 100 { return after * -1 }
            let length = miterLength * (before + after).length / (before - after).length
            let sign = isLeft ? -1.0 : 1
            return Vector(x: -join.y * length * sign, y: join.x * length * sign)
        }
    }

    struct Window {
        var left = -Double.infinity, top = -Double.infinity
        var right = Double.infinity, bottom = Double.infinity

        @inline(__always) func code(_ place: Vector) -> Int {
            (place.x < left ? 1 : 0) | (place.x > right ? 2 : 0) | (place.y < top ? 4 : 0) | (place.y > bottom ? 8 : 0)
        }
    }
}

/// From places of a tile, and CSS pixels across lines, to vertices of meshes.
struct LineProjection {
    typealias Vector = LineTessellator.Vector

    private let projection: TileProjection
    private let unitsPerPixel: Double
    private let translation: Vector
    private let halfWidth, halfHeight: Double
    /// The visible part of the tile, with room for the widest lines.
    private(set) var window = LineTessellator.Window()

    /// `translation`: CSS pixels of the tile's directions.
    init(_ projection: TileProjection, view: View, translation: ScreenPoint) {
        self.projection = projection
        unitsPerPixel = 1 / projection.scale
        self.translation = Vector(x: translation.x / projection.scale, y: translation.y / projection.scale)
        halfWidth = view.camera.width / 2
        halfHeight = view.camera.height / 2
    }

    /// `reach`: of lines from their middle, in CSS pixels.
    mutating func setWindow(reach: Double, canvas: Box) {
        guard projection.isFlat, reach.isFinite else {
            window = LineTessellator.Window()
            return
        }
        guard projection.a * projection.d - projection.b * projection.c != 0 else { return }
        let box = projection.flatBox(canvas)
        let margin = reach * unitsPerPixel
        let side = Double(FeatureLayer.extent)
        window = LineTessellator.Window(
            left: max(box.left, 0) - margin - translation.x, top: max(box.top, 0) - margin - translation.y,
            right: min(box.right, side) + margin - translation.x,
            bottom: min(box.bottom, side) + margin - translation.y)
    }

    /// `offset` and `extrude` are CSS pixels.
    @inline(__always)
    func vertex(
        _ place: Vector, offset: Vector, extrude: Vector, along: Double, progress: Double, side: Int8, roundness: Int8
    ) -> LineVertex {
        let x = place.x + translation.x + (offset.x + extrude.x) * unitsPerPixel
        let y = place.y + translation.y + (offset.y + extrude.y) * unitsPerPixel
        if projection.isFlat {
            let point = projection.point(x, y)
            return LineVertex(
                x: Float(point.x), y: Float(point.y), along: Float(along), progress: Float(progress), side: side,
                roundness: roundness)
        }
        let (point, depth) = projection.perspectivePoint(x, y, 0)
        let clip = projection.matrix.apply(SIMD4(x, y, 0, 1))
        let base = projection.matrix.apply(SIMD4(x - extrude.x * unitsPerPixel, y - extrude.y * unitsPerPixel, 0, 1))
        let shown = Vector(x: (clip.x - base.x) / clip.w * halfWidth, y: (clip.y - base.y) / clip.w * halfHeight)
        guard depth > 1e-3, shown.length > 0 else { return LineVertex(x: .infinity, y: .infinity, side: side) }
        return LineVertex(
            x: Float(point.x), y: Float(point.y), along: Float(along), progress: Float(progress),
            depth: Float(depth), feather: Float(extrude.length / shown.length), side: side, roundness: roundness)
    }
}
