/// Knows the future (Belady 1966): what is asked for again last leaves. The best only with equal sizes.
struct OptimalPolicy: TracePolicy {
    private let capacity: Int
    private let sizes: [Int]
    /// When the picture of a request is asked for next.
    private let nextPlaces: [Int32]
    /// When the next request for a picture that is held comes; -1 for others.
    private var nextPlaceOfHeld: [Int32]
    /// Those places, the last on top; some are out of date.
    private var heap = PlaceHeap()
    private let requests: [Int32]
    private var weight = 0

    init(capacity: Int, sizes: [Int], trace: Trace) {
        self.capacity = capacity
        self.sizes = sizes
        requests = trace.requests
        var nextPlaces = [Int32](repeating: .max, count: requests.count)
        var latest = [Int32](repeating: .max, count: sizes.count)
        for place in requests.indices.reversed() {
            nextPlaces[place] = latest[Int(requests[place])]
            latest[Int(requests[place])] = Int32(place)
        }
        self.nextPlaces = nextPlaces
        nextPlaceOfHeld = Array(repeating: -1, count: sizes.count)
    }

    mutating func request(_ picture: Int32, at place: Int) -> Bool {
        let isHit = nextPlaceOfHeld[Int(picture)] >= 0
        let next = nextPlaces[place]
        if isHit { release(picture) }
        // Never again: no reason to hold it.
        guard next != .max, sizes[Int(picture)] <= capacity else { return isHit }
        nextPlaceOfHeld[Int(picture)] = next
        weight += sizes[Int(picture)]
        heap.push(next)
        while weight > capacity, let last = heap.pop() {
            let victim = requests[Int(last)]
            if nextPlaceOfHeld[Int(victim)] == last { release(victim) }
        }
        return isHit
    }

    private mutating func release(_ picture: Int32) {
        nextPlaceOfHeld[Int(picture)] = -1
        weight -= sizes[Int(picture)]
    }
}

private struct PlaceHeap {
    private var places: [Int32] = []

    mutating func push(_ place: Int32) {
        places.append(place)
        var child = places.count - 1
        while child > 0, places[(child - 1) / 2] < places[child] {
            places.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int32? {
        guard let top = places.first, let last = places.popLast() else { return nil }
        if places.isEmpty { return top }
        places[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < places.count else { return top }
            if child + 1 < places.count, places[child + 1] > places[child] { child += 1 }
            guard places[child] > places[parent] else { return top }
            places.swapAt(child, parent)
            parent = child
        }
    }
}
