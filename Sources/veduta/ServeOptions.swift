import ArgumentParser
import VedutaService

/// The options of `veduta serve`, one for each row of `Setting.all`, which says what they take.
struct ServeOptions: ParsableArguments {
    @Option(help: Self.help("listen")) var listen: String?
    @Option(help: Self.help("library")) var library: String?
    @Option(help: Self.help("map-archive")) var mapArchive: String?
    @Option(help: Self.help("cache-memory")) var cacheMemory: String?
    @Option(help: Self.help("loops")) var loops: String?
    @Option(help: Self.help("workers")) var workers: String?
    @Option(help: Self.help("queue")) var queue: String?
    @Option(help: Self.help("cache-control")) var cacheControl: String?
    @Option(help: Self.help("source-bytes")) var sourceBytes: String?
    @Option(help: Self.help("source-pixels")) var sourcePixels: String?
    @Option(help: Self.help("connections")) var connections: String?
    @Option(help: Self.help("head-timeout")) var headTimeout: String?
    @Option(help: Self.help("idle-timeout")) var idleTimeout: String?
    @Option(help: Self.help("write-timeout")) var writeTimeout: String?
    @Option(help: Self.help("render-timeout")) var renderTimeout: String?
    @Option(help: Self.help("drain-timeout")) var drainTimeout: String?

    /// What was given, by name.
    var values: [String: String] {
        [
            "listen": listen, "library": library, "map-archive": mapArchive, "cache-memory": cacheMemory,
            "loops": loops, "workers": workers, "queue": queue, "cache-control": cacheControl,
            "source-bytes": sourceBytes, "source-pixels": sourcePixels, "connections": connections,
            "head-timeout": headTimeout, "idle-timeout": idleTimeout, "write-timeout": writeTimeout,
            "render-timeout": renderTimeout, "drain-timeout": drainTimeout,
        ].compactMapValues { $0 }
    }

    private static func help(_ name: String) -> ArgumentHelp {
        let setting = Setting.all.first { $0.name == name }
        return ArgumentHelp(setting.map { "\($0.purpose) (\($0.allowed))" } ?? "")
    }
}
