import ResponseCache
import Synchronization

/// The renditions that loops were asked for lately, so that all loops share what is known of a source. Bounded by count and
/// by memory; the oldest leaves first. Used for requests that a loop does not remember, and to tell why something is rendered.
package final class RenditionTable: Sendable {
    private struct Table: Sendable {
        var renditions: [CacheKey: Rendition] = [:]
        var variants: [CacheKey: [Rendition]] = [:]
        /// From `first` on, as they came.
        var order: [CacheKey] = []
        var first = 0
        var byteCount = 0

        mutating func removeOldest() -> Rendition? {
            let name = order[first]
            first += 1
            // What is past is dropped in one go, now and then.
            if first > order.count / 2 {
                order.removeFirst(first)
                first = 0
            }
            guard let rendition = renditions.removeValue(forKey: name) else { return nil }
            byteCount -= rendition.heldByteCount
            variants[rendition.resourceName]?.removeAll { $0 === rendition }
            if variants[rendition.resourceName]?.isEmpty == true { variants[rendition.resourceName] = nil }
            return rendition
        }
    }

    private static let variantLimit = 8

    /// In bytes.
    private static let canonicalLimit = 16 << 10

    private let table = Mutex(Table())
    private let countLimit, byteLimit: Int

    package init(countLimit: Int = 4096, byteLimit: Int = 16 << 20) {
        (self.countLimit, self.byteLimit) = (max(1, countLimit), byteLimit)
    }

    /// How many are held, and about how many bytes they take.
    package var load: (count: Int, byteCount: Int) { table.withLock { ($0.renditions.count, $0.byteCount) } }

    /// The rendition of an earlier request for the same, or `rendition`, which others get from now on.
    ///
    /// Renditions of requests that fill kilobytes are not kept: there may be thousands, and hardly anybody asks twice.
    package func shared(_ rendition: Rendition) -> Rendition {
        guard rendition.canonical.utf8.count <= Self.canonicalLimit else { return rendition }
        let name = rendition.name
        let (shared, dropped): (Rendition, [Rendition]) = table.withLock { table in
            if let known = table.renditions[name] { return (known, []) }
            table.renditions[name] = rendition
            table.byteCount += rendition.heldByteCount
            table.order.append(name)
            if !rendition.vary.isEmpty {
                let others = table.variants[rendition.resourceName, default: []].suffix(Self.variantLimit - 1)
                table.variants[rendition.resourceName] = others + [rendition]
            }
            var dropped: [Rendition] = []
            while table.renditions.count > countLimit || table.byteCount > byteLimit && table.renditions.count > 1 {
                if let oldest = table.removeOldest() { dropped.append(oldest) }
            }
            return (rendition, dropped)
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
