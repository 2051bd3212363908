package import Logging
package import ServiceConfiguration

extension Service {
    /// Reads the configuration again, takes over what can be taken over, and says in the log what was done. A fault
    /// changes nothing.
    ///
    /// - Returns: the configuration that holds now.
    package func reload(from source: ConfigurationSource, over running: Configuration, _ log: Logger) -> Configuration {
        var reader = PolicyReader(parts.policy)
        let presets = reader.policy.presets
        let change: ConfigurationChange
        do {
            change = ConfigurationChange(from: running, to: try source.load())
            try reload(change.configuration)
        } catch {
            log.error("cannot reload the configuration, so it stays unchanged: \(error)")
            return running
        }
        var applied = change.applied
        // The file may say something else under the name that it had.
        let setting = "presets"
        if reader.policy.presets != presets, !applied.contains(setting) { applied.append(setting) }
        let names = applied.joined(separator: ", ")
        log.notice("reloaded the configuration; changed: \(names.isEmpty ? "nothing" : names)")
        if !change.postponed.isEmpty {
            log.warning("restart the server to apply \(change.postponed.joined(separator: ", "))")
        }
        return change.configuration
    }
}
