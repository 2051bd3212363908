import ResponseCache
import Synchronization

/// The plans that loops made lately, so that loops that are asked for the same picture share its watch; bounded, the
/// oldest leaves first. Looked at for requests that a loop does not remember, and for why a picture has to be made.
final class PlanTable: Sendable {
    private struct Table: Sendable {
        var plans: [CacheKey: PicturePlan] = [:]
        var variants: [CacheKey: [PicturePlan]] = [:]
        var order: [CacheKey] = []
        var next = 0

        mutating func remove(_ name: CacheKey) -> PicturePlan? {
            guard let plan = plans.removeValue(forKey: name) else { return nil }
            variants[plan.resourceName]?.removeAll { $0 === plan }
            if variants[plan.resourceName]?.isEmpty == true { variants[plan.resourceName] = nil }
            return plan
        }
    }

    /// How many variants of one resource are known at most.
    private static let variantLimit = 8

    /// Bytes of a canonical request.
    private static let canonicalLimit = 16 << 10

    private let table = Mutex(Table())
    private let countLimit: Int

    init(countLimit: Int = 4096) {
        self.countLimit = max(1, countLimit)
    }

    /// The plan of an earlier request for the same picture, or `plan`, which others get from now on.
    ///
    /// Plans of requests that fill kilobytes are not kept: there may be thousands, and hardly anybody asks twice.
    func shared(_ plan: PicturePlan) -> PicturePlan {
        guard plan.canonical.utf8.count <= Self.canonicalLimit else { return plan }
        let name = plan.name
        let (shared, dropped): (PicturePlan, PicturePlan?) = table.withLock { table in
            if let known = table.plans[name] { return (known, nil) }
            table.plans[name] = plan
            if !plan.vary.isEmpty {
                let others = table.variants[plan.resourceName, default: []].suffix(Self.variantLimit - 1)
                table.variants[plan.resourceName] = others + [plan]
            }
            guard table.order.count >= countLimit else {
                table.order.append(name)
                return (plan, nil)
            }
            // A ring: who came first is where the next one goes.
            let oldest = table.order[table.next]
            table.order[table.next] = name
            table.next = (table.next + 1) % countLimit
            return (plan, table.remove(oldest))
        }
        withExtendedLifetime(dropped) {}
        return shared
    }

    /// What was asked for lately that differs from `plan` by the fields of the request alone; a few at most.
    func variants(of plan: PicturePlan) -> [PicturePlan] {
        let name = plan.resourceName
        return table.withLock { $0.variants[name, default: []] }.filter { $0 !== plan && $0.name != plan.name }
    }
}
