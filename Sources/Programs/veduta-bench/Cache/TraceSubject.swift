/// How often caches of different policies have what is asked for. Everything comes from seeds: the same figures each time.
enum TraceSubject {
    private static let shares = [0.01, 0.05, 0.10, 0.25]
    private static let policies = ["s3-fifo", "lru", "fifo", "w-tinylfu", "optimum"]

    /// Plays all traces, or the one of that name.
    static func run(only name: String?) throws(BenchError) {
        let traces = Trace.all.filter { name == nil || $0.name == name }
        if let name, traces.isEmpty { throw .unknown(name) }
        for trace in traces {
            for sizes in PictureSizes.allCases { run(trace, sizes) }
        }
    }

    private static func run(_ trace: Trace, _ kind: PictureSizes) {
        let sizes = kind.make(trace.pictureCount)
        let footprint = sizes.reduce(0, +)
        for share in shares {
            let capacity = Int(Double(footprint) * share)
            for policy in policies {
                let ratios =
                    switch policy {
                    case "lru": play(RecencyPolicy(capacity: capacity, sizes: sizes, movesOnHit: true), trace, sizes)
                    case "fifo": play(RecencyPolicy(capacity: capacity, sizes: sizes, movesOnHit: false), trace, sizes)
                    case "w-tinylfu": play(TinyLFUPolicy(capacity: capacity, sizes: sizes), trace, sizes)
                    case "optimum": play(OptimalPolicy(capacity: capacity, sizes: sizes, trace: trace), trace, sizes)
                    default: play(ProductionPolicy(capacity: capacity, sizes: sizes), trace, sizes)
                    }
                print(
                    """
                    {"trace": "\(trace.name)", "sizes": "\(kind.rawValue)", "share": \(share), "policy": "\(policy)", \
                    "hit_ratio": \(ratios.hits), "byte_hit_ratio": \(ratios.bytes)}
                    """)
            }
        }
    }

    private struct Ratios {
        var hits = 0.0
        var bytes = 0.0
    }

    private static func play(_ policy: some TracePolicy, _ trace: Trace, _ sizes: [Int]) -> Ratios {
        var policy = policy
        var ratios = Ratios()
        var byteCount = 0.0
        for (place, picture) in trace.requests.enumerated() {
            let size = Double(sizes[Int(picture)])
            byteCount += size
            if policy.request(picture, at: place) {
                ratios.hits += 1
                ratios.bytes += size
            }
        }
        ratios.hits /= Double(trace.requests.count)
        ratios.bytes /= byteCount
        return ratios
    }
}
