import Logging
import Origin
import Reactor
import ResponseCache

extension Service {
    /// The originals of other servers; nil where none may be asked.
    static func remoteOriginals(
        _ configuration: Configuration, _ identities: OriginIdentities, cache: TieredCache<Problem>,
        workers: WorkerPool, metrics: ServiceMetrics, log: Logger, clock: Clock
    ) throws(Errno) -> RemoteOriginals? {
        guard !configuration.remoteAllow.isEmpty else { return nil }
        var settings = Fetcher.Settings()
        settings.origins = configuration.remoteAllow
        settings.addresses = AddressPolicy(exceptions: configuration.remoteAddresses)
        settings.identities = identities
        settings.limits.total = .seconds(configuration.remoteTimeout)
        settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
        var rules = RemoteRules()
        rules.isOffline = configuration.offline
        rules.seeksOnDisk = cache.hasDisk
        rules.lifetime = configuration.remoteLifetime
        return RemoteOriginals(
            RemoteOriginals.Parts(
                fetcher: configuration.offline ? nil : try Fetcher(settings),
                origins: configuration.remoteAllow, rules: rules, octetLimit: configuration.sourceBytes,
                spoolFolder: spoolFolder(configuration), cache: cache, workers: workers, metrics: metrics.origins,
                log: log, clock: clock))
    }

    /// Where files without a name are made: beside the cache, or where the system has temporary files.
    private static func spoolFolder(_ configuration: Configuration) -> String {
        configuration.cacheDirectory ?? "/tmp"
    }
}
