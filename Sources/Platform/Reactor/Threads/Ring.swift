/// Its storage never grows.
struct Ring<Element> {
    private var ring: [Element?]
    private var first = 0
    private(set) var count = 0

    init(capacity: Int) { ring = Array(repeating: nil, count: capacity) }

    /// Counts from the first.
    subscript(offset: Int) -> Element? { offset >= 0 && offset < count ? ring[(first + offset) % ring.count] : nil }

    func contains(where matches: (Element) -> Bool) -> Bool { (0..<count).contains { self[$0].map(matches) ?? false } }

    mutating func append(_ element: Element) -> Bool { insert(element, at: count) }

    /// False when it is full. Moves what is behind `offset`, which is clamped to `0...count`.
    mutating func insert(_ element: Element, at offset: Int) -> Bool {
        guard count < ring.count else { return false }
        let place = min(max(0, offset), count)
        for moved in stride(from: count, to: place, by: -1) {
            ring[(first + moved) % ring.count] = ring[(first + moved - 1) % ring.count].take()
        }
        ring[(first + place) % ring.count] = element
        count += 1
        return true
    }

    mutating func popFirst() -> Element? { remove(at: 0) }

    mutating func remove(at offset: Int) -> Element? {
        guard let element = self[offset] else { return nil }
        for place in stride(from: offset, to: 0, by: -1) {
            ring[(first + place) % ring.count] = ring[(first + place - 1) % ring.count].take()
        }
        ring[first] = nil
        first = (first + 1) % ring.count
        count -= 1
        return element
    }

    /// Keeps the order of the others.
    mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        var kept = 0
        for offset in 0..<count {
            guard let element = ring[(first + offset) % ring.count].take() else { continue }
            if matches(element) {
                removed.append(element)
            } else {
                ring[(first + kept) % ring.count] = element
                kept += 1
            }
        }
        count = kept
        return removed
    }
}
