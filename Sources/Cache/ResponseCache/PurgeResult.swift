/// What a purge took out.
package struct PurgeResult: Equatable, Sendable {
    package var memory = 0
    package var disk = 0

    package init(memory: Int = 0, disk: Int = 0) {
        self.memory = memory
        self.disk = disk
    }
}
