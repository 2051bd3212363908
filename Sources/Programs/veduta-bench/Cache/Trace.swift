import Glibc

/// Requests for numbered pictures, made from a seed.
struct Trace {
    let name: String
    /// The picture that each request is for; numbers are dense from 0 on.
    private(set) var requests: [Int32] = []
    private(set) var pictureCount: Int32 = 0
    private var random: SplitMix

    private init(name: String, seed: UInt64) {
        self.name = name
        random = SplitMix(state: seed)
    }

    private static let requestCount = 200_000

    /// All traces. The seeds are part of the benchmark: other ones, other figures.
    static var all: [Trace] { [zipf(0.8), zipf(1.0), zipf(1.2), scan, loop, mixed(seed: 4), shifting] }

    /// Popularity by Zipf's law: the picture of rank r is asked for with a probability like r to the power of -`exponent`.
    static func zipf(_ exponent: Double) -> Trace {
        var trace = Trace(name: "zipf-\(exponent)", seed: 1)
        let popularity = Popularity(pictureCount: 50_000, exponent: exponent)
        let pictures = trace.makePictures(50_000)
        for _ in 0..<requestCount { trace.ask(pictures, popularity) }
        return trace.renumbered()
    }

    /// Favourites, and walks through pictures that nobody asks for again, as of a crawler, half and half.
    static var scan: Trace {
        var trace = Trace(name: "scan", seed: 2)
        let popularity = Popularity(pictureCount: 20_000, exponent: 1)
        let pictures = trace.makePictures(20_000)
        while trace.requests.count < requestCount {
            for _ in 0..<2000 { trace.ask(pictures, popularity) }
            trace.walk(trace.makePictures(2000))
        }
        return trace.renumbered()
    }

    static var loop: Trace {
        var trace = Trace(name: "loop", seed: 3)
        let pictures = trace.makePictures(20_000)
        while trace.requests.count < requestCount { trace.walk(pictures) }
        return trace.renumbered()
    }

    /// Favourites (six of ten requests), pictures asked for once, walks, and one album looked through again and again.
    static func mixed(seed: UInt64) -> Trace {
        var trace = Trace(name: "mixed", seed: seed)
        let popularity = Popularity(pictureCount: 30_000, exponent: 0.9)
        let pictures = trace.makePictures(30_000)
        let album = trace.makePictures(3000)
        var albumPlace = 0
        while trace.requests.count < requestCount {
            for _ in 0..<750 {
                trace.ask(pictures, popularity)
                if trace.random.next() % 3 == 0 { trace.walk(trace.makePictures(1)) }
            }
            trace.walk(trace.makePictures(125))
            trace.walk(album[albumPlace..<albumPlace + 125])
            albumPlace = (albumPlace + 125) % album.count
        }
        return trace.renumbered()
    }

    /// Zipf's law, but every so often a tenth of the pictures is replaced by new ones of the same rank.
    static var shifting: Trace {
        var trace = Trace(name: "shifting", seed: 5)
        let popularity = Popularity(pictureCount: 20_000, exponent: 1)
        var pictures = Array(trace.makePictures(20_000))
        while trace.requests.count < requestCount {
            for _ in 0..<5000 { trace.ask(pictures[...], popularity) }
            for place in pictures.indices where trace.random.next() % 10 == 0 {
                pictures[place] = trace.makePictures(1)[0]
            }
        }
        return trace.renumbered()
    }

    private mutating func makePictures(_ count: Int32) -> ArraySlice<Int32> {
        defer { pictureCount += count }
        return Array(pictureCount..<pictureCount + count)[...]
    }

    private mutating func ask(_ pictures: ArraySlice<Int32>, _ popularity: Popularity) {
        requests.append(pictures[pictures.startIndex + popularity.rank(random.nextFraction())])
    }

    private mutating func walk(_ pictures: ArraySlice<Int32>) { requests.append(contentsOf: pictures) }

    /// Numbers by first request: no order to take advantage of, and the number of pictures is the footprint.
    private func renumbered() -> Trace {
        var trace = self
        var numbers = [Int32](repeating: -1, count: Int(pictureCount))
        trace.pictureCount = 0
        for (place, picture) in requests.enumerated() {
            if numbers[Int(picture)] < 0 {
                numbers[Int(picture)] = trace.pictureCount
                trace.pictureCount += 1
            }
            trace.requests[place] = numbers[Int(picture)]
        }
        return trace
    }
}

/// How large the pictures of a trace are.
enum PictureSizes: String, CaseIterable {
    case equal
    /// As thumbnails and large pictures are: logarithmically normal with a median of 20 KB, 2 KB to 2 MB.
    case pictures

    func make(_ count: Int32, seed: UInt64 = 99) -> [Int] {
        var random = SplitMix(state: seed)
        return (0..<count).map { _ in makeOne(&random) }
    }

    func makeOne(_ random: inout SplitMix) -> Int {
        guard self == .pictures else { return 1 }
        return Int(min(max(20_000 * exp(random.nextNormal()), 2000), 2_000_000))
    }

    /// The time that making each takes, in microseconds; of equal ones 0, which is not known. Fitted to the processor time and
    /// bytes of the nine jobs in docs/PERFORMANCE.md, Images: 39 ms for 20 KB, in proportion to the size to the power of 0.7,
    /// and logarithmically normal about that with 0.8.
    func makeCosts(_ sizes: [Int], seed: UInt64 = 1099) -> [UInt64] {
        var random = SplitMix(state: seed)
        return sizes.map { size in
            guard self == .pictures else { return 0 }
            return UInt64(39_000 * pow(Double(size) / 20_000, 0.7) * exp(0.8 * random.nextNormal()))
        }
    }
}

/// Ranks by Zipf's law.
struct Popularity {
    /// The probability of a rank or any before it.
    private var sums: [Double] = []

    init(pictureCount: Int, exponent: Double) {
        var sum = 0.0
        for rank in 1...pictureCount {
            sum += pow(Double(rank), -exponent)
            sums.append(sum)
        }
    }

    func rank(_ fraction: Double) -> Int {
        let sought = fraction * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > sought { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// In 0 ..< 1.
    mutating func nextFraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// About 0, with a deviation of 1 (Box and Muller).
    mutating func nextNormal() -> Double { sqrt(-2 * log(1 - nextFraction())) * cos(2 * Double.pi * nextFraction()) }
}
