struct CollisionGrid {
    private static let cellSize = 32.0
    /// An entry of more cells is kept in a list instead.
    private static let cellLimit = 512

    struct Circle: Equatable, Sendable {
        var x, y, radius: Double

        func snapped(to parts: Double) -> Circle {
            func snap(_ value: Double) -> Double { (value * parts).rounded() / parts }
            return Circle(x: snap(x), y: snap(y), radius: snap(radius))
        }

        var box: Box { Box(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius) }
    }

    fileprivate struct Entry {
        var box: Box
        /// 0 for a rectangle.
        var radius: Double
        var overlap: SymbolSettings.Overlap
        var circle: Circle { Circle(x: box.left + radius, y: box.top + radius, radius: radius) }
    }

    private let width, height: Double
    private let columns, rows: Int
    private var whole: Box { Box(left: 0, top: 0, right: width, bottom: height) }
    private var entries: [Entry] = []
    /// Entries of each cell as linked lists: the newest of each cell, and the one before each.
    private var newest: [Int32]
    private var links: [(entry: Int32, next: Int32)] = []
    private var large: [Int32] = []

    init(width: Double, height: Double) {
        (self.width, self.height) = (width, height)
        columns = max(1, min(4096, Int((width / Self.cellSize).rounded(.up))))
        rows = max(1, min(4096, Int((height / Self.cellSize).rounded(.up))))
        newest = Array(repeating: -1, count: columns * rows)
    }

    mutating func insert(_ box: Box, overlap: SymbolSettings.Overlap) {
        add(Entry(box: box, radius: 0, overlap: overlap))
    }

    mutating func insert(_ circle: Circle, overlap: SymbolSettings.Overlap) {
        add(Entry(box: circle.box, radius: circle.radius, overlap: overlap))
    }

    private mutating func add(_ entry: Entry) {
        let cells = cells(of: entry.box)
        let index = Int32(truncatingIfNeeded: entries.count)
        entries.append(entry)
        guard cells.rows.count * cells.columns.count <= Self.cellLimit else {
            large.append(index)
            return
        }
        for row in cells.rows {
            for column in cells.columns {
                let cell = row * columns + column
                links.append((index, newest[cell]))
                newest[cell] = Int32(truncatingIfNeeded: links.count - 1)
            }
        }
    }

    func collides(_ box: Box, overlap: SymbolSettings.Overlap) -> Bool {
        guard overlap != .always, box.touches(whole) else { return false }
        if box.left <= 0, box.top <= 0, box.right >= width, box.bottom >= height { return true }
        return any(in: box) { entry in
            guard Self.forbids(overlap, entry.overlap) else { return false }
            return entry.radius > 0 ? Self.meet(entry.circle, box) : entry.box.touches(box)
        }
    }

    func collides(_ circle: Circle, overlap: SymbolSettings.Overlap) -> Bool {
        let box = circle.box
        guard overlap != .always, box.touches(whole) else { return false }
        return any(in: box) { entry in
            guard Self.forbids(overlap, entry.overlap) else { return false }
            return entry.radius > 0 ? Self.meet(entry.circle, circle) : Self.meet(circle, entry.box)
        }
    }

    private static func forbids(_ new: SymbolSettings.Overlap, _ old: SymbolSettings.Overlap) -> Bool {
        new != .always && (new == .never || old == .never)
    }

    private func any(in box: Box, _ test: (Entry) -> Bool) -> Bool {
        for index in large where test(entries[Int(index)]) { return true }
        let cells = cells(of: box)
        for row in cells.rows {
            for column in cells.columns {
                var link = newest[row * columns + column]
                while link >= 0 {
                    let (entry, next) = links[Int(link)]
                    if test(entries[Int(entry)]) { return true }
                    link = next
                }
            }
        }
        return false
    }

    private func cells(of box: Box) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let first = cell(box.left, width, columns)
        let top = cell(box.top, height, rows)
        return (first...max(first, cell(box.right, width, columns)), top...max(top, cell(box.bottom, height, rows)))
    }

    private func cell(_ value: Double, _ size: Double, _ count: Int) -> Int {
        let place = (value / size * Double(count)).rounded(.down)
        return Int(max(0, min(Double(count - 1), place)))
    }

    private static func meet(_ a: Circle, _ b: Circle) -> Bool {
        let (x, y, reach) = (a.x - b.x, a.y - b.y, a.radius + b.radius)
        return x * x + y * y < reach * reach
    }

    private static func meet(_ circle: Circle, _ box: Box) -> Bool {
        let x = max(0, abs(circle.x - (box.left + box.right) / 2) - (box.right - box.left) / 2)
        let y = max(0, abs(circle.y - (box.top + box.bottom) / 2) - (box.bottom - box.top) / 2)
        if x == 0 || y == 0 { return x <= circle.radius && y <= circle.radius }
        return x * x + y * y <= circle.radius * circle.radius
    }
}
