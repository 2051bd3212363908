import ImageEngine
import ImagePlan
import Logging
import Origin
import Renditions
import ServiceConfiguration

extension Service {
    /// Tells the operator what the configuration comes to on this machine.
    static func report(_ configuration: Configuration, _ files: SettingFiles, _ log: Logger) {
        log.info(
            "entity tags have the fingerprint \(RenditionFingerprint.service.name), with libvips \(ImageEngine.version)"
        )
        reportBudget(configuration, log)
        let (memory, unlimited) = (MemoryBudget(configuration), MemoryBudget(configuration, limit: nil))
        if memory != unlimited {
            log.notice(
                "all renders together may use \(memory.claimedByteCount >> 20) MiB, as the cgroup bounds the memory of this process"
            )
        }
        for format in configuration.formats.sorted(by: { $0.rawValue < $1.rawValue }) where !ImageEngine.canRead(format)
        {
            log.warning("VEDUTA_FORMATS names \(format.rawValue), but the installed libvips cannot read it")
        }
        reportCredentials(configuration, files, log)
        if configuration.tokens(files.tokens).hasShort {
            log.warning("a token has fewer than \(AccessToken.safeLength) characters and could be guessed")
        }
    }

    private static func reportCredentials(_ configuration: Configuration, _ files: SettingFiles, _ log: Logger) {
        guard let objects = files.objects else { return }
        let settings = configuration.s3Credentials
        if settings != .keys { log.info("credentials for S3 (\(settings)) come from \(objects.credentials)") }
        for (bucket, other) in objects.others.sorted(by: { $0.key < $1.key }) {
            let choice = files.identities.buckets[bucket]?.choice(orElse: settings) ?? settings
            log.info("credentials for s3://\(bucket) (\(choice)) come from \(other.credentials)")
        }
    }

    private static func reportBudget(_ configuration: Configuration, _ log: Logger) {
        guard configuration.budget > 0 else {
            return log.notice("clients have no budgets (--budget), so one client may use all processors")
        }
        log.notice(
            "each client may use \(configuration.budget) seconds of processor time a minute, and save \(configuration.budgetDepth)"
        )
        if configuration.trustedProxies.isEmpty {
            log.notice("clients behind one proxy share its budget unless --trusted-proxies names the proxy")
        }
    }
}
