/// What a purge took out.
package struct PurgeResult: Equatable, Sendable {
    /// Entries in memory.
    package var memory = 0
    /// Entries on disk.
    package var disk = 0

    /// Nothing.
    package init(memory: Int = 0, disk: Int = 0) {
        self.memory = memory
        self.disk = disk
    }
}
