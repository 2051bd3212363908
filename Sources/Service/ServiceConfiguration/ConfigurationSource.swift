/// Where a configuration is read from, at the start and on SIGHUP, when the file may have changed.
package struct ConfigurationSource: Sendable {
    /// By name without dashes.
    package let options: [String: String]
    package let environment: [String: String]

    package init(options: [String: String], environment: [String: String]) {
        self.options = options
        self.environment = environment
    }

    /// - Throws: every fault at once.
    package func load() throws(ConfigurationError) -> Configuration {
        var file: ConfigurationFile?
        var faults: [ConfigurationError.Fault] = []
        if let (source, path) = namedFile {
            do { file = try ConfigurationFile.read(path, source: source) } catch { faults = error.faults }
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(options: options, environment: environment, file: file)
            if faults.isEmpty { return configuration }
        } catch {
            faults += error.faults
        }
        throw ConfigurationError(faults: faults)
    }

    /// The file that options or environment name.
    func file() throws(ConfigurationError) -> ConfigurationFile? {
        guard let (source, path) = namedFile else { return nil }
        return try ConfigurationFile.read(path, source: source)
    }

    private var namedFile: (source: String, path: String)? {
        if let path = options[Setting.fileOption], !path.isEmpty { return ("--\(Setting.fileOption)", path) }
        if let path = environment[Setting.fileVariable], !path.isEmpty { return (Setting.fileVariable, path) }
        return nil
    }
}

/// What a new configuration changes in a running server.
package struct ConfigurationChange: Sendable, Equatable {
    /// The configuration that holds afterwards: the new one, except for what needs a restart.
    package let configuration: Configuration
    /// Names of settings that change.
    package let applied: [String]
    /// Names of settings that wait for a restart.
    package let postponed: [String]

    package init(from running: Configuration, to wanted: Configuration) {
        var configuration = wanted
        let changed = Setting.all.filter { $0.differs(running, wanted) }
        for setting in changed where !setting.isReloadable { setting.copy(running, &configuration) }
        self.configuration = configuration
        applied = changed.filter(\.isReloadable).map(\.name)
        postponed = changed.filter { !$0.isReloadable }.map(\.name)
    }
}
