/// How often caches of different policies have what is asked for, and how much time of rendering that saves. Everything comes
/// from seeds: the same figures each time.
enum TraceSubject {
    private static let shares = [0.01, 0.05, 0.10, 0.25]
    private static let policies = ["veduta", "lru", "fifo", "w-tinylfu", "optimum"]
    /// The policy is to save more time than W-TinyLFU on the mixed trace of all of these together. It was not tuned with them.
    private static let goalSeeds = UInt64(4)...8

    /// Plays all traces, or the one of that name.
    static func run(only name: String?) throws(BenchError) {
        let traces = Trace.all.filter { name == nil || $0.name == name }
        if let name, traces.isEmpty { throw .unknown(name) }
        for trace in traces {
            for sizes in PictureSizes.allCases {
                let load = Load(trace, sizes)
                for share in shares {
                    for policy in policies { load.play(policy, share, "\"sizes\": \"\(sizes.rawValue)\"") }
                }
            }
        }
        guard traces.contains(where: { $0.name == "mixed" }) else { return }
        for seed in goalSeeds {
            let load = Load(.mixed(seed: seed), .pictures, seed: 95 + seed)
            for policy in ["veduta", "w-tinylfu"] { load.play(policy, 0.10, "\"seed\": \(seed)") }
        }
    }

    private struct Load {
        let trace: Trace
        let sizes: [Int]
        let costs: [UInt64]

        init(_ trace: Trace, _ kind: PictureSizes, seed: UInt64 = 99) {
            self.trace = trace
            sizes = kind.make(trace.pictureCount, seed: seed)
            costs = kind.makeCosts(sizes, seed: 1000 + seed)
        }

        /// Prints what `policy` hits with room for `share` of all bytes.
        func play(_ policy: String, _ share: Double, _ what: String) {
            let capacity = Int(Double(sizes.reduce(0, +)) * share)
            let sums =
                switch policy {
                case "lru": play(RecencyPolicy(capacity: capacity, sizes: sizes, movesOnHit: true))
                case "fifo": play(RecencyPolicy(capacity: capacity, sizes: sizes, movesOnHit: false))
                case "w-tinylfu": play(TinyLFUPolicy(capacity: capacity, sizes: sizes))
                case "optimum": play(OptimalPolicy(capacity: capacity, sizes: sizes, trace: trace))
                default: play(ProductionPolicy(capacity: capacity, sizes: sizes, costs: costs))
                }
            print(
                """
                {"trace": "\(trace.name)", \(what), "share": \(share), "policy": "\(policy)", \
                "requests": \(trace.requests.count), "hits": \(sums.hits), \
                "byte_hit_ratio": \(Double(sums.bytes) / Double(sums.allBytes)), \
                "saved_microseconds": \(sums.savedMicroseconds), "all_microseconds": \(sums.allMicroseconds)}
                """)
        }

        private struct Sums {
            var hits = 0
            var bytes = 0
            var allBytes = 0
            var savedMicroseconds: UInt64 = 0
            var allMicroseconds: UInt64 = 0
        }

        private func play(_ policy: some TracePolicy) -> Sums {
            var policy = policy
            var sums = Sums()
            for (place, picture) in trace.requests.enumerated() {
                sums.allBytes += sizes[Int(picture)]
                sums.allMicroseconds += costs[Int(picture)]
                guard policy.request(picture, at: place) else { continue }
                sums.hits += 1
                sums.bytes += sizes[Int(picture)]
                sums.savedMicroseconds += costs[Int(picture)]
            }
            return sums
        }
    }
}
