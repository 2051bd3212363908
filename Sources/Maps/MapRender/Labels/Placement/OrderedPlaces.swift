/// Places in an order, of which the first within a square is found and taken out. It is a k-d tree: a search looks at
/// few nodes, however many places are alike, taken or just outside.
struct OrderedPlaces {
    struct Place {
        var x, y: Double
        var name: Int32
    }

    private struct Node {
        var left, top, right, bottom: Double
        /// In `numbers`.
        var range: Range<Int>
        /// The lowest number left in the range, `Int.max` for none.
        var first: Int
        /// The first child comes right after the node; 0 in a leaf.
        var secondChild = 0
    }

    private struct Search {
        let x, y, tolerance: Double
        var number = Int.max
        var slot = 0

        func contains(_ place: Place) -> Bool { abs(place.x - x) <= tolerance && abs(place.y - y) <= tolerance }

        func reaches(_ node: Node) -> Bool {
            node.left - x <= tolerance && node.right - x >= -tolerance && node.top - y <= tolerance
                && node.bottom - y >= -tolerance
        }
    }

    private static let leafCount = 16

    private let places: [Place]
    /// Indexes of places, those of a node side by side; `Int.max` once taken.
    private var numbers: [Int]
    private var nodes: [Node] = []

    /// O(count · log² count).
    init(_ places: [Place]) {
        self.places = places
        // Others are within no square.
        numbers = places.indices.filter { places[$0].x.isFinite && places[$0].y.isFinite }
        if !numbers.isEmpty { build(numbers.indices) }
    }

    private mutating func build(_ range: Range<Int>) {
        let index = nodes.count
        var node = Node(
            left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity, range: range, first: .max)
        for number in numbers[range] {
            let place = places[number]
            (node.left, node.right) = (min(node.left, place.x), max(node.right, place.x))
            (node.top, node.bottom) = (min(node.top, place.y), max(node.bottom, place.y))
            node.first = min(node.first, number)
        }
        nodes.append(node)
        guard range.count > Self.leafCount else { return }
        let isWide = node.right - node.left > node.bottom - node.top
        let sorted = numbers[range].sorted { a, b in
            isWide ? places[a].x < places[b].x : places[a].y < places[b].y
        }
        numbers.replaceSubrange(range, with: sorted)
        let middle = range.lowerBound + range.count / 2
        build(range.lowerBound..<middle)
        nodes[index].secondChild = nodes.count
        build(middle..<range.upperBound)
    }

    /// Takes out the first place of which both coordinates differ by at most `tolerance`, and returns its name.
    mutating func takeFirst(x: Double, y: Double, within tolerance: Double) -> Int32? {
        guard !nodes.isEmpty else { return nil }
        var search = Search(x: x, y: y, tolerance: tolerance)
        find(&search, below: 0)
        guard search.number < .max else { return nil }
        take(search.slot, below: 0)
        return places[search.number].name
    }

    private func find(_ search: inout Search, below index: Int) {
        let node = nodes[index]
        guard node.first < search.number, search.reaches(node) else { return }
        guard node.secondChild > 0 else {
            for slot in node.range where numbers[slot] < search.number && search.contains(places[numbers[slot]]) {
                search.number = numbers[slot]
                search.slot = slot
            }
            return
        }
        // The other child is often not looked at then.
        let isInOrder = nodes[index + 1].first <= nodes[node.secondChild].first
        find(&search, below: isInOrder ? index + 1 : node.secondChild)
        find(&search, below: isInOrder ? node.secondChild : index + 1)
    }

    private mutating func take(_ slot: Int, below index: Int) {
        let node = nodes[index]
        if node.secondChild == 0 {
            numbers[slot] = .max
            nodes[index].first = numbers[node.range].min() ?? .max
        } else {
            take(slot, below: nodes[node.secondChild].range.contains(slot) ? node.secondChild : index + 1)
            nodes[index].first = min(nodes[index + 1].first, nodes[node.secondChild].first)
        }
    }
}
