package import Reactor

/// Where entries are kept and how much room they have.
package struct EntryStoreSettings: Sendable {
    /// The folder; made if it is missing.
    package var path: String
    /// The bytes that all entries may take, as blocks of the file system.
    package var byteCapacity: Int
    /// How many files there may be.
    package var fileCapacity: Int

    package init(path: String, byteCapacity: Int, fileCapacity: Int) {
        self.path = path
        self.byteCapacity = byteCapacity
        self.fileCapacity = fileCapacity
    }
}

/// What an operator should hear of the store.
package enum EntryStoreEvent: Sendable, Equatable {
    /// Storing failed: nothing is stored until it works again.
    case turnedOff(Errno)
    case turnedOn
    /// A file that was no whole entry was removed.
    case removedCorrupt(name: String)
    /// Another process purged this. It is gone from the disk; the owner should remove what it has in memory.
    case purgedElsewhere(SharedPurge)
    /// A purge was done, but other processes could not be told: they may still have in memory what was purged.
    case purgeNotShared(Errno)
}

/// What a store holds and did.
package struct EntryCounts: Sendable, Equatable {
    package internal(set) var hits = 0
    /// Entries looked for and not found.
    package internal(set) var misses = 0
    package internal(set) var stores = 0
    package internal(set) var evictions = 0
    /// Files removed because they were no whole entries.
    package internal(set) var corruptions = 0
    /// Entries that are known to be there.
    package internal(set) var entryCount = 0
    /// The bytes that they take, as blocks of the file system.
    package internal(set) var byteCount = 0
    /// The bytes of memory that knowing them takes.
    package internal(set) var indexByteCount = 0
    package internal(set) var isOn = true
    /// Whether the whole folder has been listed since the start.
    package internal(set) var isIndexed = false

    package init() {}
}
