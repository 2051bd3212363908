package import ClientBudgets
package import Reactor
package import ResponseCache

/// Renditions to be made before anybody asks for them, as one job of one client.
package struct Preparation: Sendable {
    /// Renditions that are made together, of the same sources.
    package struct Group: Sendable {
        let renditions: [Rendition]
        /// Makes those with these indices; one result for each.
        let make: @Sendable (RenderJob, [Int]) -> Made

        package init(_ renditions: [Rendition], make: @escaping @Sendable (RenderJob, [Int]) -> Made) {
            (self.renditions, self.make) = (renditions, make)
        }
    }

    package struct Made: Sendable {
        let results: [Result<RenderedContent, RenditionError>]
        /// Whether the groups that follow would give the same once more.
        let isLast: Bool

        package init(_ results: [Result<RenderedContent, RenditionError>], isLast: Bool) {
            (self.results, self.isLast) = (results, isLast)
        }
    }

    /// The answer that lists them. It has all their sources: a purge of one ends the job.
    let list: Rendition
    /// Of all groups.
    let count: Int
    let makeGroups: @Sendable () -> [Group]
    let limits: RenditionLimits
    let client: ClientNetwork?
    let bill: WorkBill?
    /// What was purged later is not made.
    let epoch: PurgeEpoch

    /// - Parameters:
    ///   - groups: called when the job begins.
    ///   - bill: of this job alone.
    package init(
        of list: Rendition, count: Int, limits: RenditionLimits, client: ClientNetwork?, bill: WorkBill?,
        since epoch: PurgeEpoch, groups: @escaping @Sendable () -> [Group]
    ) {
        (self.list, self.count, self.limits, makeGroups) = (list, count, limits, groups)
        (self.client, self.bill, self.epoch) = (client, bill, epoch)
    }
}

struct PreparationWalk: Sendable {
    /// How often a group begins again that had to give way to other work.
    private static let yieldLimit = 4

    let preparation: Preparation
    /// nil before it begins.
    private(set) var groups: ArraySlice<Preparation.Group>?
    /// Predicted processor time in microseconds of the groups before.
    private(set) var spent = 0
    private var yieldsLeft = Self.yieldLimit
    private var hasFailed = false

    init(_ preparation: Preparation) { self.preparation = preparation }

    /// Images that are not looked at yet.
    var countLeft: Int { groups.map { $0.reduce(0) { $0 + $1.renditions.count } } ?? preparation.count }

    /// Whether all were made, or were there.
    var isWhole: Bool { countLeft == 0 && !hasFailed }

    mutating func noteFailure() { hasFailed = true }

    mutating func group() -> Preparation.Group? {
        let groups = groups ?? preparation.makeGroups()[...]
        self.groups = groups
        return groups.first
    }

    mutating func goOn(spent: Int) {
        groups = groups?.dropFirst()
        self.spent = spent
    }

    /// Nothing is left to be made.
    mutating func finish() { groups = [] }

    /// Whether the group may begin again.
    mutating func yields() -> Bool {
        yieldsLeft -= 1
        return yieldsLeft >= 0
    }
}
