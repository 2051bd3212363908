import Bytes
import Digest
import Glibc
import Reactor
import ResponseCache

/// What the memory tier takes in truth, beside its bound: resident memory after four times as much as fits has come in.
enum MemorySubject {
    private enum Contents: String, CaseIterable {
        case small
        case typical
        /// Logarithmically normal, 2 KB to 2 MB, median 20 KB.
        case mixed
        /// Small ones until the cache is full, then mixed ones: the memory of small ones must serve for others.
        case changing

        func byteCount(at part: Double, _ random: inout SplitMix) -> Int {
            switch self {
            case .small: 1000 + Int(random.next() % 100)
            case .typical: 20_000 + Int(random.next() % 2000)
            case .mixed: PictureSizes.pictures.makeOne(&random)
            case .changing: part < 0.25 ? 1000 : PictureSizes.pictures.makeOne(&random)
            }
        }
    }

    /// Measures the contents of that name; each needs a process of its own, as memory is given back late or never.
    static func run(_ name: String) throws(BenchError) {
        guard let contents = Contents(rawValue: name) else { throw .unknown(name) }
        Allocator.setUp()
        let byteCapacity = 256 << 20
        let cache = MemoryCache(byteCapacity: byteCapacity)
        let before = residentByteCount()
        // Pictures are made by several threads and released by any.
        var threads: [OwnedThread] = []
        do {
            for number in 0..<2 {
                let thread = try OwnedThread.start(name: "fill-\(number)") {
                    fill(cache, contents, byteCount: 2 * byteCapacity, seed: UInt64(number))
                }
                threads.append(thread)
            }
        } catch {
            throw .system(error)
        }
        for thread in threads { thread.join() }
        let growth = residentByteCount() - before
        let counts = cache.counts
        print(
            """
            {"subject": "memory", "contents": "\(name)", "bound": \(byteCapacity), "entries": \(counts.entryCount), \
            "counted": \(counts.byteCount), "resident": \(growth), \
            "ratio": \(Double(growth) / Double(byteCapacity))}
            """)
        withExtendedLifetime(cache) {}
    }

    private static func fill(_ cache: MemoryCache, _ contents: Contents, byteCount: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        var filled = 0
        var number: UInt64 = 0
        while filled < byteCount {
            let length = contents.byteCount(at: Double(filled) / Double(byteCount), &random)
            let response = makeResponse(byteCount: length, number: number)
            cache.insert(response, for: makeKey(seed << 40 | number))
            // Some are asked for again, so that what leaves does not leave in the order in which it came.
            if random.next() % 4 == 0 { _ = cache.response(for: makeKey(seed << 40 | random.next() % (number + 1))) }
            filled += length + 300
            number += 1
        }
    }

    /// An answer as the service keeps it. The content is written like an encoder's: into a buffer that doubles.
    static func makeResponse(byteCount: Int, number: UInt64) -> StoredResponse {
        var room = 4096
        var memory = malloc(room)
        while room < byteCount {
            room *= 2
            memory = realloc(memory, room)
        }
        if let memory { memset(memory, Int32(truncatingIfNeeded: number), byteCount) }
        let content = SharedBytes(
            adopting: UnsafeRawPointer(realloc(memory, byteCount)), count: byteCount,
            release: { free(UnsafeMutableRawPointer(mutating: $0)) })
        return StoredResponse(
            mediaType: "image/jpeg", entityTag: "\"\(10_000_000_000_000_000_000 + number)\"",
            lastModifiedUnixSeconds: 1, head: [UInt8](repeating: 0x20, count: 160), content: content)
    }

    static func makeKey(_ number: UInt64) -> CacheKey {
        var random = SplitMix(state: number)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Digest256.byteCount)
        for _ in 0..<4 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        return CacheKey(Digest256(bytes: bytes) ?? SHA256.digest(of: bytes))
    }

    private static func residentByteCount() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 100)
        let count = fread(&text, 1, text.count, file)
        let words = text[..<count].split(separator: 0x20)
        guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
