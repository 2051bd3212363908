import ServiceConfiguration

/// The limits of time and work that one picture has. A reload may change them: each request goes by those that hold when it
/// comes.
struct PictureLimits: Equatable, Sendable {
    /// For how many seconds a request waits for its picture.
    let renderSeconds: Int
    /// What pictures are refused for.
    let cost: CostLimit

    init(_ configuration: Configuration) {
        renderSeconds = configuration.renderTimeout
        cost = CostLimit(configuration)
    }

    /// What is remembered of a picture, if it would go the same way under these limits; nil: it is to be tried.
    func remembered(_ problem: Problem) -> Problem? {
        if let seconds = problem.triedSeconds { return seconds >= renderSeconds ? problem : nil }
        guard let work = problem.neededWork else { return problem }
        let excesses = cost.excesses(of: work)
        return excesses.isEmpty ? nil : .tooCostly(work, excesses)
    }
}

/// How much work a picture would take.
struct NeededWork: Equatable, Sendable {
    /// CPU time of one core.
    let microseconds: Int
    /// Bytes of memory.
    let byteCount: Int

    /// Whole seconds of CPU time, rounded up.
    var seconds: Int { microseconds / 1_000_000 + (microseconds % 1_000_000 > 0 ? 1 : 0) }
}

/// A limit that a picture would break.
struct LimitExcess: Equatable, Sendable {
    /// The setting of the server that a limit comes from.
    enum Setting: String, Sendable {
        case costLimit = "cost-limit"
        case memoryLimit = "memory-limit"
        /// Twice as many seconds of computing are given to one picture.
        case renderTimeout = "render-timeout"

        /// In what it counts.
        var unit: String {
            switch self {
            case .costLimit, .renderTimeout: "seconds"
            case .memoryLimit: "bytes"
            }
        }
    }

    let setting: Setting
    /// The most that one picture is given, in units of the setting.
    let limit: Int
    /// What it would take.
    let needed: Int
}
