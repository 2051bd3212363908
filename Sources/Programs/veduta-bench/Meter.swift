import CMeasure
import Glibc
import Reactor

/// Runs an operation many times and prints what one of it costs.
enum Meter {
    /// Enough that memories are filled and buffers have their size.
    private static let warmUpCount = 200
    private static let batchCount = 3

    /// On all threads not set apart. The best of three batches: now and then a date is written again.
    static func measure<Failure>(
        _ subject: String, operationCount: Int = 500, requestCount: Int = 1, _ operation: () throws(Failure) -> Void
    ) throws(Failure) {
        for _ in 0..<warmUpCount { try operation() }
        var allocationCount = Int64.max
        var nanoseconds = Int64.max
        cmeasure_mark()
        for _ in 0..<batchCount {
            let start = (cmeasure_allocation_count(), Self.nanoseconds())
            for _ in 0..<operationCount { try operation() }
            allocationCount = min(allocationCount, cmeasure_allocation_count() - start.0)
            nanoseconds = min(nanoseconds, Self.nanoseconds() - start.1)
        }
        cmeasure_mark()
        let perBatch = operationCount * requestCount
        print(
            """
            {"subject": "\(subject)", "requests": \(batchCount * perBatch), \
            "allocations": \(Double(allocationCount) / Double(perBatch)), \
            "nanoseconds": \(nanoseconds / Int64(perBatch))}
            """)
        fflush(nil)
    }

    /// What the calling thread does from now on is not part of any figure.
    static func setThisThreadApart() { cmeasure_set_apart(true) }

    static func nanoseconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
