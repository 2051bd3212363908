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
