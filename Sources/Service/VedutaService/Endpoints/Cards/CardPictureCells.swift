import Bytes
import Eviction
import ImagePlan
import Raster
import ResponseCache
import Synchronization

/// Pictures as avatars and cards showed them last, in memory: a person of a new group, or the photograph of a card with other
/// words, needs no worker.
///
/// Found by the state of the original, so that a new photograph is seen at once, and purged with the asset.
final class CardPictureCells: Sendable {
    struct Key: Hashable, Sendable {
        let id: String
        /// Of the original.
        let state: String
        let size: PixelSize
        let gravity: Gravity
        let fit: Fit
    }

    /// Taken before an original is read: what was read before a purge is not kept after it.
    struct Epoch: Sendable, Equatable { fileprivate var purgeCount = 0 }

    private struct Kept: Sendable {
        let texture: Texture
        let tag: CacheTag
    }

    private struct Table {
        var cells: BoundedMap<Key, Kept>
        var epoch = Epoch()
    }

    private static let byteCapacityLimit = 16 << 20
    /// Of a key, and of what holds the cell.
    private static let overhead = 256

    private let table: Mutex<Table>
    /// Of one cell: 2 MiB by default, two thirds of a card of 1200 × 630 pixels. A few such leave room for many people.
    private let cellByteLimit: Int

    /// `cacheByteCount`: of the cache in memory; at most an eighth of it comes on top.
    init(cacheByteCount: Int) {
        let capacity = min(cacheByteCount / 8, Self.byteCapacityLimit)
        cellByteLimit = capacity / 8
        table = Mutex(Table(cells: BoundedMap(capacity: capacity)))
    }

    var epoch: Epoch { table.withLock { $0.epoch } }
    var byteCount: Int { table.withLock { $0.cells.weight } }

    func find(_ key: Key) -> Texture? { table.withLock { $0.cells.find(key)?.texture } }

    func keep(_ texture: Texture, for key: Key, since epoch: Epoch) {
        let weight = texture.texels.count + key.id.utf8.count + key.state.utf8.count + Self.overhead
        guard weight <= cellByteLimit else { return }
        let kept = Kept(texture: texture, tag: CacheTag(assetID: key.id))
        // Freed outside the lock.
        let evicted = table.withLock { table in
            table.epoch == epoch ? table.cells.insert(kept, for: key, weight: weight) : nil
        }
        withExtendedLifetime(evicted) {}
    }

    /// The cells of an asset, or of all; O(count).
    func forget(_ tag: CacheTag?) {
        let evicted = table.withLock { table in
            table.epoch.purgeCount += 1
            return table.cells.removeAll { tag == nil || $0.tag == tag }
        }
        withExtendedLifetime(evicted) {}
    }
}
