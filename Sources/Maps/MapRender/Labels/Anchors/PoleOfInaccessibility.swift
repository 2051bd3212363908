// The place of a polygon farthest from its sides, where a label has the most room. Squares that cover the polygon are
// searched from the most promising one, each split into four until a better place could only be a little better.

struct PoleOfInaccessibility {
    /// Distances from vertices to compute for one polygon; then the best place so far counts.
    static let workLimit = 1 << 20

    private struct Cell {
        var x, y, half: Double
        /// Of its middle, from the sides; negative outside.
        var depth: Double
        /// The most that any place of it can have.
        var best: Double { depth + half * 2.0.squareRoot() }
    }

    private let rings: [[TileVertex]]
    private let vertexCount: Int
    private var heap: [Cell] = []
    private var work = 0

    /// Within `precision` units of the tile; the first ring is the outer one.
    static func find(_ rings: [[TileVertex]], precision: Double) -> SymbolPosition? {
        var search = PoleOfInaccessibility(rings)
        return search.run(precision)
    }

    private init(_ rings: [[TileVertex]]) {
        self.rings = rings
        vertexCount = rings.reduce(0) { $0 + $1.count }
    }

    private mutating func run(_ precision: Double) -> SymbolPosition? {
        guard let outer = rings.first, let left = outer.map(\.x).min(), let right = outer.map(\.x).max(),
            let top = outer.map(\.y).min(), let bottom = outer.map(\.y).max()
        else { return nil }
        let (minX, maxX, minY, maxY) = (Double(left), Double(right), Double(top), Double(bottom))
        let side = min(maxX - minX, maxY - minY)
        guard side > 0 else { return SymbolPosition(x: minX, y: minY) }
        for x in stride(from: minX, to: maxX, by: side) {
            for y in stride(from: minY, to: maxY, by: side) where work < Self.workLimit {
                push(cell(x + side / 2, y + side / 2, side / 2))
            }
        }
        var best = centroid(outer)
        while let next = pop() {
            if next.depth > best.depth || best.depth == 0 || best.depth.isNaN { best = next }
            if next.best - best.depth <= precision { continue }
            guard work < Self.workLimit else { break }
            let half = next.half / 2
            for (dx, dy) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                push(cell(next.x + dx, next.y + dy, half))
            }
        }
        return best.x.isFinite && best.y.isFinite ? SymbolPosition(x: best.x, y: best.y) : nil
    }

    private mutating func cell(_ x: Double, _ y: Double, _ half: Double) -> Cell {
        work += vertexCount
        var isInside = false
        var nearest = Double.infinity
        for ring in rings {
            guard var before = ring.last else { continue }
            for vertex in ring {
                let a = ScreenPoint(x: Double(vertex.x), y: Double(vertex.y))
                let b = ScreenPoint(x: Double(before.x), y: Double(before.y))
                if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
                nearest = min(nearest, Self.squaredDistance(ScreenPoint(x: x, y: y), a, b))
                before = vertex
            }
        }
        let distance = nearest.squareRoot()
        return Cell(x: x, y: y, half: half, depth: isInside ? distance : -distance)
    }

    private static func squaredDistance(_ place: ScreenPoint, _ a: ScreenPoint, _ b: ScreenPoint) -> Double {
        let (along, from) = (b - a, place - a)
        let squaredLength = along.x * along.x + along.y * along.y
        let t = squaredLength == 0 ? 0 : max(0, min(1, (from.x * along.x + from.y * along.y) / squaredLength))
        let rest = from - along * t
        return rest.x * rest.x + rest.y * rest.y
    }

    private mutating func centroid(_ ring: [TileVertex]) -> Cell {
        var (x, y, area) = (0.0, 0.0, 0.0)
        guard var before = ring.last else { return cell(0, 0, 0) }
        for vertex in ring {
            let (ax, ay, bx, by) = (Double(vertex.x), Double(vertex.y), Double(before.x), Double(before.y))
            let cross = ax * by - bx * ay
            x += (ax + bx) * cross
            y += (ay + by) * cross
            area += cross * 3
            before = vertex
        }
        return cell(x / area, y / area, 0)
    }

    private mutating func push(_ cell: Cell) {
        heap.append(cell)
        var index = heap.count - 1
        while index > 0, heap[(index - 1) / 2].best < heap[index].best {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func pop() -> Cell? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if heap.isEmpty { return first }
        heap[0] = last
        var index = 0
        while true {
            var largest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].best > heap[largest].best { largest = child }
            if largest == index { return first }
            heap.swapAt(index, largest)
            index = largest
        }
    }
}
