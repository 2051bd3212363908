import Reactor

package struct NeededWork: Equatable, Sendable {
    /// CPU time of one core.
    package let microseconds: Int
    package let byteCount: Int

    package init(microseconds: Int, byteCount: Int) {
        self.microseconds = microseconds
        self.byteCount = byteCount
    }

    /// CPU time, rounded up.
    package var seconds: Int { microseconds / 1_000_000 + (microseconds % 1_000_000 > 0 ? 1 : 0) }
}

package struct LimitExcess: Equatable, Sendable {
    package enum Setting: String, Sendable {
        case costLimit = "cost-limit"
        case memoryLimit = "memory-limit"
        /// A render gets twice as many seconds of computing.
        case renderTimeout = "render-timeout"

        package var unit: String {
            switch self {
            case .costLimit, .renderTimeout: "seconds"
            case .memoryLimit: "bytes"
            }
        }
    }

    package let setting: Setting
    /// In units of the setting.
    package let limit: Int
    package let needed: Int

    package init(setting: Setting, limit: Int, needed: Int) {
        self.setting = setting
        self.limit = limit
        self.needed = needed
    }
}

package struct WorkLimit: Equatable, Sendable {
    /// CPU time of one core.
    private let microseconds: Int
    private let byteCount: Int
    /// A render of at most this many bytes claims no memory.
    private let freeByteCount: Int
    /// The setting that `microseconds` comes from.
    private let timeSetting: LimitExcess.Setting

    package init(
        seconds: Int, byteCount: Int = 1 << 30, freeByteCount: Int = 64 << 20,
        timeSetting: LimitExcess.Setting = .costLimit
    ) {
        microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).overflow ? .max : seconds * 1_000_000
        self.byteCount = byteCount
        self.freeByteCount = freeByteCount
        self.timeSetting = timeSetting
    }

    /// The limits that such a render breaks; empty where it may begin.
    package func excesses(of work: NeededWork) -> [LimitExcess] {
        var excesses: [LimitExcess] = []
        if work.microseconds > microseconds {
            excesses.append(LimitExcess(setting: timeSetting, limit: microseconds / 1_000_000, needed: work.seconds))
        }
        if work.byteCount > byteCount {
            excesses.append(LimitExcess(setting: .memoryLimit, limit: byteCount, needed: work.byteCount))
        }
        return excesses
    }

    /// Names the limits that are broken where `error` is about too much work.
    package func named(_ error: RenditionError) -> RenditionError {
        guard case .tooCostly(let work, _) = error else { return error }
        return .tooCostly(work, excesses(of: work))
    }

    /// What a render of this cost claims besides its thread.
    func claim(_ cost: RenderCost) -> JobClaim {
        JobClaim(
            isLong: cost.isLong, isDrawing: cost.isDrawing,
            byteCount: cost.work.byteCount > freeByteCount ? cost.work.byteCount : 0)
    }
}

/// The limits of one rendition. Each request has those that hold when it comes, as a reload may change them.
package struct RenditionLimits: Equatable, Sendable {
    /// How long a request waits.
    package let renderSeconds: Int
    package let work: WorkLimit

    package init(renderSeconds: Int, work: WorkLimit) {
        self.renderSeconds = renderSeconds
        self.work = work
    }

    /// A remembered failure, if it would happen again under these limits.
    package func remembered(_ error: RenditionError) -> RenditionError? {
        switch error {
        case .timedOut(let seconds?): return seconds >= renderSeconds ? error : nil
        case .tooCostly(let work, _):
            let excesses = self.work.excesses(of: work)
            return excesses.isEmpty ? nil : .tooCostly(work, excesses)
        case .failed, .timedOut(nil), .busy, .notStored, .overBudget: return error
        }
    }
}
