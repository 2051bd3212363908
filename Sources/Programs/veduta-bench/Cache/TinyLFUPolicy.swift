/// W-TinyLFU (Einziger, Friedman and Manes, "TinyLFU: a highly efficient cache admission policy", 2017): a window of one
/// hundredth in the order of use; what leaves it gets into the main part only if it was asked for more often lately than
/// what would have to leave there. The main part is in two segments, four fifths of it for what was asked for there.
struct TinyLFUPolicy: TracePolicy {
    private let sizes: [Int]
    private let windowCapacity: Int
    private let mainCapacity: Int
    private var window: PictureList
    private var probation: PictureList
    private var protected: PictureList
    private var windowWeight = 0
    private var probationWeight = 0
    private var protectedWeight = 0
    private var sketch: FrequencySketch

    init(capacity: Int, sizes: [Int]) {
        self.sizes = sizes
        windowCapacity = max(capacity / 100, 1)
        mainCapacity = capacity - windowCapacity
        window = PictureList(pictureCount: sizes.count)
        probation = window
        protected = window
        let meanSize = max(sizes.reduce(0, +) / sizes.count, 1)
        sketch = FrequencySketch(entryCount: max(capacity / meanSize, 1))
    }

    mutating func request(_ picture: Int32, at place: Int) -> Bool {
        sketch.count(picture)
        let size = sizes[Int(picture)]
        if window.contains(picture) {
            window.remove(picture)
            window.append(picture)
            return true
        }
        if protected.contains(picture) {
            protected.remove(picture)
            protected.append(picture)
            return true
        }
        if probation.contains(picture) {
            probation.remove(picture)
            probationWeight -= size
            protected.append(picture)
            protectedWeight += size
            while protectedWeight > mainCapacity / 5 * 4, let demoted = protected.popOldest() {
                protectedWeight -= sizes[Int(demoted)]
                probation.append(demoted)
                probationWeight += sizes[Int(demoted)]
            }
            return true
        }
        guard size <= mainCapacity else { return false }
        window.append(picture)
        windowWeight += size
        while windowWeight > windowCapacity, let candidate = window.popOldest() {
            windowWeight -= sizes[Int(candidate)]
            admit(candidate)
        }
        return false
    }

    private mutating func admit(_ candidate: Int32) {
        let size = sizes[Int(candidate)]
        while probationWeight + protectedWeight > mainCapacity - size {
            let isFromProbation = probation.oldest >= 0
            let victim = isFromProbation ? probation.oldest : protected.oldest
            guard victim >= 0, sketch.frequency(candidate) > sketch.frequency(victim) else { return }
            if isFromProbation {
                probation.remove(victim)
                probationWeight -= sizes[Int(victim)]
            } else {
                protected.remove(victim)
                protectedWeight -= sizes[Int(victim)]
            }
        }
        probation.append(candidate)
        probationWeight += size
    }
}

/// How often pictures were asked for lately, to 15 and by estimate: the least of four counters, all of which are halved
/// after as many requests as ten times the entries of the cache.
private struct FrequencySketch {
    private var counters: [UInt8]
    private let mask: UInt64
    private let period: Int
    private var countSincePeriod = 0

    init(entryCount: Int) {
        var size = 64
        while size < entryCount * 4 { size *= 2 }
        counters = Array(repeating: 0, count: size)
        mask = UInt64(size - 1)
        period = entryCount * 10
    }

    private func places(_ picture: Int32) -> (Int, Int, Int, Int) {
        var random = SplitMix(state: UInt64(picture) << 20)
        let (one, two) = (random.next(), random.next())
        return (Int(one & mask), Int(one >> 32 & mask), Int(two & mask), Int(two >> 32 & mask))
    }

    mutating func count(_ picture: Int32) {
        let places = places(picture)
        for place in [places.0, places.1, places.2, places.3] where counters[place] < 15 { counters[place] += 1 }
        countSincePeriod += 1
        if countSincePeriod >= period {
            countSincePeriod /= 2
            for place in counters.indices { counters[place] /= 2 }
        }
    }

    func frequency(_ picture: Int32) -> UInt8 {
        let places = places(picture)
        return min(
            min(counters[places.0], counters[places.1]), min(counters[places.2], counters[places.3]))
    }
}
