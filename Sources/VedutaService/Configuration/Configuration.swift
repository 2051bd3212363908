import Parameters

/// What an operator can set, with safe defaults. The table of names is in `Setting.swift`.
package struct Configuration: Sendable, Equatable {
    /// Where to listen: `host:port`, `[v6]:port` or `unix:/path`.
    package var listen = "127.0.0.1:8080"
    /// The folder whose pictures are served; none: every asset is missing.
    package var library: String?
    /// A PMTiles archive to draw maps from; none: the built-in world.
    package var mapArchive: String?
    /// The bound of the memory cache in octets, overhead included; 0 turns it off.
    package var cacheMemory = 256 << 20
    /// Event loops; 0: as many as there are processors.
    package var loops = 0
    /// Worker threads that decode, draw and encode; 0: as many as there are processors.
    package var workers = 0
    /// Jobs that may wait for a worker; one more is answered 503.
    package var queue = 256
    /// `Cache-Control` of pictures.
    package var cacheControl = "max-age=86400, stale-while-revalidate=604800, stale-if-error=604800"
    /// The largest source file in octets.
    package var sourceBytes = 64 << 20
    /// The largest source in pixels, all frames together.
    package var sourcePixels = 100_000_000
    /// How many connections may be open at once.
    package var connections = 8192
    /// Seconds that a whole request head may take.
    package var headTimeout = 10
    /// Seconds that a connection may be idle between requests.
    package var idleTimeout = 60
    /// Seconds that a client may take none of an answer's octets.
    package var writeTimeout = 30
    /// Seconds that a render may wait and run before it is given up.
    package var renderTimeout = 30
    /// Seconds that running requests get after SIGTERM.
    package var drainTimeout = 8

    /// The defaults.
    package init() {}

    /// Variables that look like settings but are none, with the nearest that is one.
    package static func unknownVariables(in environment: [String: String]) -> [(name: String, suggestion: String?)] {
        let known = Set(Setting.all.map(\.variable) + Setting.plannedVariables + Setting.testVariables)
        return environment.keys.filter { $0.hasPrefix("VEDUTA_") && !known.contains($0) }.sorted().map {
            ($0, Suggestion.nearest(to: $0, among: Setting.all.map(\.variable)))
        }
    }

    /// Reads options (by name, without dashes) over environment variables over defaults.
    ///
    /// - Throws: every fault at once.
    package static func load(
        options: [String: String], environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration()
        var faults: [ConfigurationError.Fault] = []
        for setting in Setting.all {
            let (source, text) =
                if let option = options[setting.name], !option.isEmpty {
                    ("--\(setting.name)", option)
                } else {
                    (setting.variable, environment[setting.variable] ?? "")
                }
            guard !text.isEmpty else { continue }
            if !setting.apply(text, &configuration) {
                faults.append(.init(source: source, value: text, allowed: setting.allowed))
            }
        }
        faults += Setting.plannedVariables.compactMap { name in
            // Serving without what was asked for, such as signatures, would be worse than not starting.
            environment[name].flatMap { value in
                value.isEmpty
                    ? nil : .init(source: name, value: value, allowed: "this version does not support it; unset it")
            }
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return configuration
    }
}

/// Settings that cannot be used; each names where it came from, what was given and what is allowed.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One setting that cannot be used.
    package struct Fault: Sendable, Equatable {
        /// The option or variable.
        package let source: String
        /// The text given.
        package let value: String
        /// What would be accepted.
        package let allowed: String
    }

    /// All of them, in the order of the table.
    package let faults: [Fault]

    package var description: String {
        faults.map { "\($0.source)=\($0.value) is not usable: \($0.allowed)" }.joined(separator: "\n")
    }
}
