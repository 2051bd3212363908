import ArgumentParser
import ServiceConfiguration
import VedutaService

/// The options of `veduta serve`, one for each row of `Setting.all`, which says what they take and under which heading they are.
struct ServeOptions: ParsableArguments {
    @Option(
        help: "Configuration file with lines NAME=value, named like the environment variables; SIGHUP reloads it.",
        completion: .file())
    var config: String?
    @OptionGroup(title: Setting.Group.server.rawValue) var server: ServerOptions
    @OptionGroup(title: Setting.Group.maps.rawValue) var maps: MapOptions
    @OptionGroup(title: Setting.Group.cache.rawValue) var cache: CacheOptions
    @OptionGroup(title: Setting.Group.threads.rawValue) var threads: ThreadOptions
    @OptionGroup(title: Setting.Group.images.rawValue) var images: ImageOptions
    @OptionGroup(title: Setting.Group.origins.rawValue) var origins: OriginOptions
    @OptionGroup(title: Setting.Group.connections.rawValue) var connections: ConnectionOptions
    @OptionGroup(title: Setting.Group.work.rawValue) var work: WorkOptions
    @OptionGroup(title: Setting.Group.logs.rawValue) var logs: LogOptions
    @OptionGroup(title: Setting.Group.pages.rawValue) var pages: PageOptions
    @OptionGroup(title: Setting.Group.access.rawValue) var access: AccessOptions

    var values: [String: String] {
        let groups: [any SettingOptions] = [
            server, maps, cache, threads, images, origins, connections, work, logs, pages, access,
        ]
        let file = config.map { [Setting.fileOption: $0] } ?? [:]
        return groups.reduce(file) { $0.merging($1.given) { $1 } }
    }
}

/// Options of one heading. Each is named like its setting, without hyphens.
protocol SettingOptions: ParsableArguments {}

extension SettingOptions {
    /// By the names of the settings.
    var given: [String: String] {
        let options = Mirror(reflecting: self).children.compactMap { child -> (String, String)? in
            guard let label = child.label?.lowercased(), let value = (child.value as? Option<String?>)?.wrappedValue,
                let setting = Setting.all.first(where: { "_" + $0.name.filter { $0 != "-" } == label })
            else { return nil }
            return (setting.name, value)
        }
        return Dictionary(options) { $1 }
    }
}

extension Option where Value == String? {
    /// The option of the setting `name`.
    init(_ name: String) {
        let setting = Setting.all.first { $0.name == name }
        self.init(
            name: .customLong(name),
            help: ArgumentHelp(setting.map { "\($0.purpose) (\($0.allowed))" } ?? ""),
            completion: setting.map { $0.isPath ? .file() : $0.words.isEmpty ? .default : .list($0.words) })
    }
}

struct ServerOptions: SettingOptions {
    @Option("listen") var listen: String?
    @Option("handover") var handover: String?
    @Option("library") var library: String?
    @Option("uploads") var uploads: String?
    @Option("upload-limit") var uploadLimit: String?
    @Option("upload-count") var uploadCount: String?
    @Option("upload-total") var uploadTotal: String?
    @Option("upload-expiry") var uploadExpiry: String?
}

struct MapOptions: SettingOptions {
    @Option("map-archive") var mapArchive: String?
    @Option("map-world") var mapWorld: String?
    @Option("map-style") var mapStyle: String?
    @Option("map-files") var mapFiles: String?
    @Option("maps") var maps: String?
    @Option("map-allow") var mapAllow: String?
    @Option("map-attribution") var mapAttribution: String?
    @Option("map-side") var mapSide: String?
}

struct CacheOptions: SettingOptions {
    @Option("cache-memory") var cacheMemory: String?
    @Option("cache-dir") var cacheDir: String?
    @Option("cache-disk") var cacheDisk: String?
    @Option("cache-files") var cacheFiles: String?
    @Option("cache-storage") var cacheStorage: String?
    @Option("shared-cache") var sharedCache: String?
    @Option("shared-objects") var sharedObjects: String?
    @Option("shared-prefix") var sharedPrefix: String?
}

struct ThreadOptions: SettingOptions {
    @Option("loops") var loops: String?
    @Option("workers") var workers: String?
    @Option("queue") var queue: String?
}

struct ImageOptions: SettingOptions {
    @Option("cache-control") var cacheControl: String?
    @Option("map-cache-control") var mapCacheControl: String?
    @Option("cdn-cache-control") var cdnCacheControl: String?
    @Option("source-bytes") var sourceBytes: String?
    @Option("source-pixels") var sourcePixels: String?
    @Option("formats") var formats: String?
    @Option("frames") var frames: String?
    @Option("frame-pixels") var framePixels: String?
    @Option("linear-light") var linearLight: String?
    @Option("masters") var masters: String?
    @Option("presets") var presets: String?
    @Option("card-templates") var cardTemplates: String?
    @Option("client-hints") var clientHints: String?
    @Option("source-lifetime") var sourceLifetime: String?
    @Option("source-stale") var sourceStale: String?
}

struct OriginOptions: SettingOptions {
    @Option("remote-allow") var remoteAllow: String?
    @Option("remote-rewrite") var remoteRewrite: String?
    @Option("remote-addresses") var remoteAddresses: String?
    @Option("remote-identities") var remoteIdentities: String?
    @Option("remote-timeout") var remoteTimeout: String?
    @Option("remote-lifetime") var remoteLifetime: String?
    @Option("s3-endpoint") var s3Endpoint: String?
    @Option("s3-region") var s3Region: String?
    @Option("s3-style") var s3Style: String?
    @Option("s3-credentials") var s3Credentials: String?
    @Option("s3-key-id") var s3KeyID: String?
    @Option("s3-secret") var s3Secret: String?
    @Option("s3-session-token") var s3SessionToken: String?
    @Option("s3-buckets") var s3Buckets: String?
    @Option("offline") var offline: String?
}

struct ConnectionOptions: SettingOptions {
    @Option("connections") var connections: String?
    @Option("connections-per-address") var connectionsPerAddress: String?
    @Option("head-timeout") var headTimeout: String?
    @Option("idle-timeout") var idleTimeout: String?
    @Option("write-timeout") var writeTimeout: String?
    @Option("content-timeout") var contentTimeout: String?
    @Option("minimum-rate") var minimumRate: String?
}

struct WorkOptions: SettingOptions {
    @Option("render-timeout") var renderTimeout: String?
    @Option("cost-limit") var costLimit: String?
    @Option("memory-limit") var memoryLimit: String?
    @Option("render-memory") var renderMemory: String?
    @Option("effort-max") var effortMax: String?
    @Option("drain-timeout") var drainTimeout: String?
}

struct LogOptions: SettingOptions {
    @Option("access-log") var accessLog: String?
    @Option("access-log-file") var accessLogFile: String?
    @Option("log-format") var logFormat: String?
    @Option("log-level") var logLevel: String?
}

struct PageOptions: SettingOptions {
    @Option("public-url") var publicURL: String?
    @Option("trusted-proxies") var trustedProxies: String?
    @Option("cors-origins") var corsOrigins: String?
    @Option("cross-origin-resource-policy") var crossOriginResourcePolicy: String?
}

struct AccessOptions: SettingOptions {
    @Option("token") var token: String?
    @Option("token-file") var tokenFile: String?
    @Option("keys") var keys: String?
    @Option("unsigned") var unsigned: String?
    @Option("budget") var budget: String?
    @Option("budget-depth") var budgetDepth: String?
    @Option("budget-owner") var budgetOwner: String?
    @Option("forwarded-field") var forwardedField: String?
    @Option("hosts") var hosts: String?
    @Option("presets-only") var presetsOnly: String?
    @Option("image-side") var imageSide: String?
    @Option("sizes") var sizes: String?
    @Option("size-rule") var sizeRule: String?
    @Option("metrics-listen") var metricsListen: String?
    @Option("listing") var listing: String?
    @Option("originals") var originals: String?
    @Option("metadata") var metadata: String?
    @Option("explain") var explain: String?
    @Option("isolation") var isolation: String?
    @Option("compat") var compat: String?
}
