import ImagePlan
package import Logging

/// Where a configuration is read from, at the start and again when the operator asks for it (SIGHUP).
package struct ConfigurationSource: Sendable {
    /// The options that were given, by name without dashes.
    package let options: [String: String]
    /// The environment that the process was started in.
    package let environment: [String: String]

    /// Options and environment do not change; the file that they name may.
    package init(options: [String: String], environment: [String: String]) {
        self.options = options
        self.environment = environment
    }

    /// Reads the file, if one is named, and everything together.
    ///
    /// - Throws: every fault at once.
    package func load() throws(ConfigurationError) -> Configuration {
        var file: ConfigurationFile?
        var faults: [ConfigurationError.Fault] = []
        if let (source, path) = namedFile {
            do {
                file = try ConfigurationFile.read(path, source: source)
            } catch {
                faults = error.faults
            }
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(options: options, environment: environment, file: file)
            if faults.isEmpty { return configuration }
        } catch {
            faults += error.faults
        }
        throw ConfigurationError(faults: faults)
    }

    private var namedFile: (source: String, path: String)? {
        if let path = options[Setting.fileOption], !path.isEmpty { return ("--\(Setting.fileOption)", path) }
        if let path = environment[Setting.fileVariable], !path.isEmpty { return (Setting.fileVariable, path) }
        return nil
    }
}

/// What a new configuration means to a server that runs by another one.
package struct ConfigurationChange: Sendable, Equatable {
    /// The configuration that holds afterwards: the new one, but for what needs a restart.
    package let configuration: Configuration
    /// The names of the settings that change.
    package let applied: [String]
    /// The names of the settings that stay as they are until the server is started again.
    package let postponed: [String]

    /// From `running` to `wanted`.
    package init(from running: Configuration, to wanted: Configuration) {
        var configuration = wanted
        let changed = Setting.all.filter { $0.differs(running, wanted) }
        for setting in changed where !setting.isReloadable { setting.copy(running, &configuration) }
        self.configuration = configuration
        applied = changed.filter(\.isReloadable).map(\.name)
        postponed = changed.filter { !$0.isReloadable }.map(\.name)
    }
}

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
