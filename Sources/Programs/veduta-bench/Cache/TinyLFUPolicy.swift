/// W-TinyLFU (Einziger, Friedman and Manes, "TinyLFU: a highly efficient cache admission policy", 2017): a window of one
/// hundredth in the order of use; what leaves it gets into the main part only if it was asked for more often lately than
/// what would have to leave there. The main part is in two segments, four fifths of it for what was asked for there.
struct TinyLFUPolicy: TracePolicy {
    private let windowCapacity: Int
    private let mainCapacity: Int
    private var window: PictureList
    private var probation: PictureList
    private var protected: PictureList
    private var sketch: FrequencySketch

    init(capacity: Int, sizes: [Int]) {
        windowCapacity = max(capacity / 100, 1)
        mainCapacity = capacity - windowCapacity
        window = PictureList(sizes: sizes)
        probation = window
        protected = window
        let meanSize = max(sizes.reduce(0, +) / sizes.count, 1)
        sketch = FrequencySketch(entryCount: max(capacity / meanSize, 1))
    }

    mutating func request(_ picture: Int32, at place: Int) -> Bool {
        sketch.count(picture)
        if window.contains(picture) {
            window.renew(picture)
            return true
        }
        if protected.contains(picture) {
            protected.renew(picture)
            return true
        }
        if probation.contains(picture) {
            probation.remove(picture)
            protected.append(picture)
            while protected.weight > mainCapacity / 5 * 4, let demoted = protected.popOldest() {
                probation.append(demoted)
            }
            return true
        }
        guard window.sizes[Int(picture)] <= mainCapacity else { return false }
        window.append(picture)
        while window.weight > windowCapacity, let candidate = window.popOldest() { admit(candidate) }
        return false
    }

    private mutating func admit(_ candidate: Int32) {
        while probation.weight + protected.weight > mainCapacity - window.sizes[Int(candidate)] {
            let isFromProbation = probation.oldest >= 0
            let victim = isFromProbation ? probation.oldest : protected.oldest
            guard victim >= 0, sketch.frequency(candidate) > sketch.frequency(victim) else { return }
            if isFromProbation { probation.remove(victim) } else { protected.remove(victim) }
        }
        probation.append(candidate)
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
        return min(counters[places.0], counters[places.1], counters[places.2], counters[places.3])
    }
}
