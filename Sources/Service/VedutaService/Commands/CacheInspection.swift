import DiskStore
import Logging
import Reactor
package import ServiceConfiguration

/// `veduta cache inspect`: what is in a cache folder, which a server may use meanwhile.
package enum CacheInspection {
    package struct Counts: Equatable, Sendable {
        package let entryCount, byteCount, indexByteCount: Int
        package let isWritable: Bool
    }

    /// nil where the listing takes longer than `patience`, or there is no cache folder in `configuration`. Evicts nothing.
    package static func run(_ configuration: Configuration, patience: Duration = .seconds(600)) throws(ServiceError)
        -> Counts?
    {
        var configuration = configuration
        configuration.cacheDisk = 1 << 50
        configuration.cacheFiles = 1 << 30
        guard
            let store = try OpenedService.openDisk(
                configuration, Logger(label: "veduta") { _ in SwiftLogNoOpLogHandler() }, .system)
        else { return nil }
        defer { store.close() }
        let deadline = Clock.system.monotonic() + patience
        while Clock.system.monotonic() < deadline {
            let counts = store.counts
            if counts.isIndexed {
                return Counts(
                    entryCount: counts.entryCount, byteCount: counts.byteCount, indexByteCount: counts.indexByteCount,
                    isWritable: counts.isOn)
            }
            Processors.pause(.milliseconds(20))
        }
        return nil
    }
}
