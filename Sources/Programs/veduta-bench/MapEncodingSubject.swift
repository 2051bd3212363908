import Bytes
import Glibc
import PNGCoding

/// Bytes and processor time of the ways in which a drawn picture is written as PNG.
enum MapEncodingSubject {
    private static let roundCount = 5

    /// Ways by name: the first is what pictures of `/asset` go through, and what the others are held beside.
    private static let ways: [(String, PNGCoding.Strategy, Int)] =
        [("thorough", .thorough, 6), ("thorough", .thorough, 2)]
        + [1, 2, 4, 5, 6, 9].map { ("sampled", PNGCoding.Strategy.sampled, $0) }

    /// Writes a line for every picture, a PNG, and every way; the time is the least of some rounds.
    static func run(_ pictures: [String]) throws {
        for path in pictures {
            guard let decoder = PNGDecoder(try QualitySubject.contents(of: path)), !decoder.is16Bit,
                let pixels = decoder.decode()
            else { throw BenchError.refusedInput }
            defer { free(pixels) }
            for (name, strategy, level) in ways {
                var (byteCount, leastMs) = (0, Double.infinity)
                for _ in 0..<roundCount {
                    let before = QualitySubject.processorMilliseconds()
                    byteCount = try encodedCount(decoder, pixels, strategy, level: level)
                    leastMs = min(leastMs, QualitySubject.processorMilliseconds() - before)
                }
                print(
                    """
                    {"subject": "map-encoding", "picture": "\(path)", "strategy": "\(name)", "level": \(level), \
                    "pixels": \(decoder.widthPx * decoder.heightPx), "bytes": \(byteCount), "cpu_ms": \(leastMs)}
                    """)
                fflush(nil)
            }
        }
    }

    private static func encodedCount(
        _ decoder: PNGDecoder, _ pixels: UnsafeMutableRawPointer, _ strategy: PNGCoding.Strategy, level: Int
    ) throws -> Int {
        let count = decoder.widthPx * decoder.heightPx * decoder.bands
        guard let copy = malloc(count) else { throw BenchError.refusedInput }
        copy.copyMemory(from: pixels, byteCount: count)
        let encoder = PNGEncoder(
            adopting: copy.bindMemory(to: UInt8.self, capacity: count), widthPx: decoder.widthPx,
            heightPx: decoder.heightPx, bands: decoder.bands)
        guard let file = encoder?.finish(level: level, strategy: strategy) else { throw BenchError.refusedInput }
        return file.count
    }
}
