package import Reactor
import Synchronization

package struct EntryStoreSettings: Sendable {
    package var path: String
    /// Bytes of all entries, as blocks of the file system.
    package var byteCapacity: Int
    package var fileCapacity: Int

    package init(path: String, byteCapacity: Int, fileCapacity: Int) {
        self.path = path
        self.byteCapacity = byteCapacity
        self.fileCapacity = fileCapacity
    }
}

package enum EntryStoreEvent: Sendable, Equatable {
    /// Storing failed and is off until it works again.
    case turnedOff(Errno)
    case turnedOn
    /// A file that was no whole entry was removed.
    case removedCorrupt(name: String)
    /// Another process purged this; see ``EntryStore/onSharedPurge(_:)``.
    case purgedElsewhere(SharedPurge)
    /// Other processes could not be told of a purge: they may still have its entries in memory.
    case purgeNotShared(Errno)
}

package struct EntryCounts: Sendable, Equatable {
    package internal(set) var hits = 0
    package internal(set) var misses = 0
    package internal(set) var stores = 0
    package internal(set) var evictions = 0
    package internal(set) var corruptions = 0
    package internal(set) var entryCount = 0
    package internal(set) var byteCount = 0
    package internal(set) var indexByteCount = 0
    package internal(set) var isOn = true
    /// Whether the whole folder has been listed since the start.
    package internal(set) var isIndexed = false
}

final class StoreCounters: Sendable {
    let hits = Atomic<Int>(0)
    let misses = Atomic<Int>(0)
    let stores = Atomic<Int>(0)
    let evictions = Atomic<Int>(0)
    let corruptions = Atomic<Int>(0)
    /// Whether the whole folder has been listed.
    let isIndexed = Atomic<Bool>(false)
}
