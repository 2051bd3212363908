package import ClientBudgets
package import Reactor
package import ResponseCache
import Synchronization

/// Renditions that are to be made before they are asked for, as one job for one client.
package final class Preparation: Sendable {
    /// Renditions that are made together, of the same sources.
    package struct Group: Sendable {
        package let renditions: [Rendition]
        /// Makes those with these indices.
        package let make: @Sendable (RenderJob, [Int]) -> Made

        package init(_ renditions: [Rendition], make: @escaping @Sendable (RenderJob, [Int]) -> Made) {
            (self.renditions, self.make) = (renditions, make)
        }
    }

    package struct Made: Sendable {
        package let results: [Result<RenderedContent, RenditionError>]
        /// Whether the groups that follow would give the same once more.
        package let isLast: Bool

        package init(_ results: [Result<RenderedContent, RenditionError>], isLast: Bool) {
            (self.results, self.isLast) = (results, isLast)
        }
    }

    let name: CacheKey
    let groups: [Group]
    let limits: RenditionLimits
    let client: ClientNetwork?
    let bill: WorkBill?
    /// What was purged later is not made.
    let epoch: PurgeEpoch
    /// Predicted so far, in microseconds of processor time.
    let spent = Atomic<Int>(0)

    /// `bill` is of this job alone.
    package init(
        _ name: CacheKey, _ groups: [Group], limits: RenditionLimits, client: ClientNetwork?, bill: WorkBill?,
        since epoch: PurgeEpoch
    ) {
        (self.name, self.groups, self.limits) = (name, groups, limits)
        (self.client, self.bill, self.epoch) = (client, bill, epoch)
    }

    func count(from index: Int) -> Int { groups[index...].reduce(0) { $0 + $1.renditions.count } }
}
