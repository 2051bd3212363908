import ResponseCache
import Synchronization

/// The renditions that loops were asked for lately, so that all loops share what is known of a source. Bounded; the
/// oldest leaves first. Used for requests that a loop does not remember, and to tell why something is rendered.
package final class RenditionTable: Sendable {
    private struct Table: Sendable {
        var renditions: [CacheKey: Rendition] = [:]
        var variants: [CacheKey: [Rendition]] = [:]
        var order: [CacheKey] = []
        var next = 0

        mutating func remove(_ name: CacheKey) -> Rendition? {
            guard let rendition = renditions.removeValue(forKey: name) else { return nil }
            variants[rendition.resourceName]?.removeAll { $0 === rendition }
            if variants[rendition.resourceName]?.isEmpty == true { variants[rendition.resourceName] = nil }
            return rendition
        }
    }

    private static let variantLimit = 8

    /// In bytes.
    private static let canonicalLimit = 16 << 10

    private let table = Mutex(Table())
    private let countLimit: Int

    package init(countLimit: Int = 4096) { self.countLimit = max(1, countLimit) }

    /// The rendition of an earlier request for the same, or `rendition`, which others get from now on.
    ///
    /// Renditions of requests that fill kilobytes are not kept: there may be thousands, and hardly anybody asks twice.
    package func shared(_ rendition: Rendition) -> Rendition {
        guard rendition.canonical.utf8.count <= Self.canonicalLimit else { return rendition }
        let name = rendition.name
        let (shared, dropped): (Rendition, Rendition?) = table.withLock { table in
            if let known = table.renditions[name] { return (known, nil) }
            table.renditions[name] = rendition
            if !rendition.vary.isEmpty {
                let others = table.variants[rendition.resourceName, default: []].suffix(Self.variantLimit - 1)
                table.variants[rendition.resourceName] = others + [rendition]
            }
            guard table.order.count >= countLimit else {
                table.order.append(name)
                return (rendition, nil)
            }
            // A ring: who came first is where the next one goes.
            let oldest = table.order[table.next]
            table.order[table.next] = name
            table.next = (table.next + 1) % countLimit
            return (rendition, table.remove(oldest))
        }
        withExtendedLifetime(dropped) {}
        return shared
    }

    /// Recent renditions that differ from this one by the request fields alone; a few at most.
    package func variants(of rendition: Rendition) -> [Rendition] {
        let name = rendition.resourceName
        return table.withLock { $0.variants[name, default: []] }.filter {
            $0 !== rendition && $0.name != rendition.name
        }
    }
}
