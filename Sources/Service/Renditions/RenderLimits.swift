import Reactor

/// How much work a render would take.
package struct NeededWork: Equatable, Sendable {
    /// CPU time of one core.
    package let microseconds: Int
    package let byteCount: Int

    package init(microseconds: Int, byteCount: Int) {
        self.microseconds = microseconds
        self.byteCount = byteCount
    }

    /// Whole seconds of CPU time, rounded up.
    package var seconds: Int { microseconds / 1_000_000 + (microseconds % 1_000_000 > 0 ? 1 : 0) }
}

/// A limit that a render would break.
package struct LimitExcess: Equatable, Sendable {
    /// The setting of the server that a limit comes from.
    package enum Setting: String, Sendable {
        case costLimit = "cost-limit"
        case memoryLimit = "memory-limit"
        /// Twice as many seconds of computing are given to one render.
        case renderTimeout = "render-timeout"

        /// In what it counts.
        package var unit: String {
            switch self {
            case .costLimit, .renderTimeout: "seconds"
            case .memoryLimit: "bytes"
            }
        }
    }

    package let setting: Setting
    /// The most that one render is given, in units of the setting.
    package let limit: Int
    package let needed: Int

    package init(setting: Setting, limit: Int, needed: Int) {
        self.setting = setting
        self.limit = limit
        self.needed = needed
    }
}

/// How much work one render may be.
package struct WorkLimit: Equatable, Sendable {
    /// CPU time of one core.
    private let microseconds: Int
    private let byteCount: Int
    /// Up to so many bytes a render claims none of the memory for all.
    private let freeByteCount: Int
    /// Which setting `microseconds` comes from.
    private let timeSetting: LimitExcess.Setting

    /// Renders that take up to so many seconds of one core and so many bytes.
    package init(
        seconds: Int, byteCount: Int = 1 << 30, freeByteCount: Int = 64 << 20,
        timeSetting: LimitExcess.Setting = .costLimit
    ) {
        microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).overflow ? .max : seconds * 1_000_000
        self.byteCount = byteCount
        self.freeByteCount = freeByteCount
        self.timeSetting = timeSetting
    }

    /// The limits that a render breaks which takes so much; empty where it may begin.
    package func excesses(of work: NeededWork) -> [LimitExcess] {
        var excesses: [LimitExcess] = []
        if work.microseconds > microseconds {
            excesses.append(
                LimitExcess(setting: timeSetting, limit: microseconds / 1_000_000, needed: work.seconds))
        }
        if work.byteCount > byteCount {
            excesses.append(LimitExcess(setting: .memoryLimit, limit: byteCount, needed: work.byteCount))
        }
        return excesses
    }

    /// `error`; what takes too much work names the limits that it breaks.
    package func named(_ error: RenditionError) -> RenditionError {
        guard case .tooCostly(let work, _) = error else { return error }
        return .tooCostly(work, excesses(of: work))
    }

    /// What a render of this cost takes beside a thread.
    func claim(_ cost: RenderCost) -> JobClaim {
        JobClaim(
            isLong: cost.isLong, isDrawing: cost.isDrawing,
            byteCount: cost.work.byteCount > freeByteCount ? cost.work.byteCount : 0)
    }
}

/// The limits of time and work that one rendition has. A reload may change them: each request goes by those that hold when it
/// comes.
package struct RenditionLimits: Equatable, Sendable {
    /// For how many seconds a request waits.
    package let renderSeconds: Int
    package let work: WorkLimit

    package init(renderSeconds: Int, work: WorkLimit) {
        self.renderSeconds = renderSeconds
        self.work = work
    }

    /// What is remembered of a rendition, if it would go the same way under these limits; nil: it is to be tried.
    package func remembered(_ error: RenditionError) -> RenditionError? {
        switch error {
        case .timedOut(let seconds?): return seconds >= renderSeconds ? error : nil
        case .tooCostly(let work, _):
            let excesses = self.work.excesses(of: work)
            return excesses.isEmpty ? nil : .tooCostly(work, excesses)
        case .failed, .timedOut(nil), .busy, .notStored: return error
        }
    }
}
