import ArgumentParser
import ServiceConfiguration
import VedutaService

/// The options of `veduta serve`, one for each row of `Setting.all`, which says what they take.
struct ServeOptions: ParsableArguments {
    @Option(help: "Configuration file with lines NAME=value, named like the environment variables; SIGHUP reloads it.")
    var config: String?
    @Option(help: Self.help("listen")) var listen: String?
    @Option(help: Self.help("library")) var library: String?
    @Option(help: Self.help("uploads")) var uploads: String?
    @Option(help: Self.help("upload-limit")) var uploadLimit: String?
    @Option(help: Self.help("upload-count")) var uploadCount: String?
    @Option(help: Self.help("upload-total")) var uploadTotal: String?
    @Option(help: Self.help("upload-expiry")) var uploadExpiry: String?
    @Option(help: Self.help("map-archive")) var mapArchive: String?
    @Option(help: Self.help("map-world")) var mapWorld: String?
    @Option(help: Self.help("map-style")) var mapStyle: String?
    @Option(help: Self.help("map-files")) var mapFiles: String?
    @Option(help: Self.help("maps")) var maps: String?
    @Option(help: Self.help("map-allow")) var mapAllow: String?
    @Option(help: Self.help("map-attribution")) var mapAttribution: String?
    @Option(help: Self.help("map-side")) var mapSide: String?
    @Option(help: Self.help("cache-memory")) var cacheMemory: String?
    @Option(help: Self.help("cache-dir")) var cacheDir: String?
    @Option(help: Self.help("cache-disk")) var cacheDisk: String?
    @Option(help: Self.help("cache-files")) var cacheFiles: String?
    @Option(help: Self.help("cache-storage")) var cacheStorage: String?
    @Option(help: Self.help("shared-cache")) var sharedCache: String?
    @Option(help: Self.help("shared-objects")) var sharedObjects: String?
    @Option(help: Self.help("loops")) var loops: String?
    @Option(help: Self.help("workers")) var workers: String?
    @Option(help: Self.help("queue")) var queue: String?
    @Option(help: Self.help("cache-control")) var cacheControl: String?
    @Option(help: Self.help("map-cache-control")) var mapCacheControl: String?
    @Option(help: Self.help("cdn-cache-control")) var cdnCacheControl: String?
    @Option(help: Self.help("source-bytes")) var sourceBytes: String?
    @Option(help: Self.help("source-pixels")) var sourcePixels: String?
    @Option(help: Self.help("formats")) var formats: String?
    @Option(help: Self.help("frames")) var frames: String?
    @Option(help: Self.help("frame-pixels")) var framePixels: String?
    @Option(help: Self.help("linear-light")) var linearLight: String?
    @Option(help: Self.help("masters")) var masters: String?
    @Option(help: Self.help("presets")) var presets: String?
    @Option(help: Self.help("card-templates")) var cardTemplates: String?
    @Option(help: Self.help("client-hints")) var clientHints: String?
    @Option(help: Self.help("source-lifetime")) var sourceLifetime: String?
    @Option(help: Self.help("source-stale")) var sourceStale: String?
    @Option(help: Self.help("remote-allow")) var remoteAllow: String?
    @Option(help: Self.help("remote-rewrite")) var remoteRewrite: String?
    @Option(help: Self.help("remote-addresses")) var remoteAddresses: String?
    @Option(help: Self.help("remote-identities")) var remoteIdentities: String?
    @Option(help: Self.help("remote-timeout")) var remoteTimeout: String?
    @Option(help: Self.help("remote-lifetime")) var remoteLifetime: String?
    @Option(name: .customLong("s3-endpoint"), help: Self.help("s3-endpoint")) var s3Endpoint: String?
    @Option(name: .customLong("s3-region"), help: Self.help("s3-region")) var s3Region: String?
    @Option(name: .customLong("s3-style"), help: Self.help("s3-style")) var s3Style: String?
    @Option(name: .customLong("s3-key-id"), help: Self.help("s3-key-id")) var s3KeyID: String?
    @Option(name: .customLong("s3-secret"), help: Self.help("s3-secret")) var s3Secret: String?
    @Option(name: .customLong("s3-session-token"), help: Self.help("s3-session-token")) var s3SessionToken: String?
    @Option(name: .customLong("s3-buckets"), help: Self.help("s3-buckets")) var s3Buckets: String?
    @Option(help: Self.help("offline")) var offline: String?
    @Option(help: Self.help("connections")) var connections: String?
    @Option(help: Self.help("connections-per-address")) var connectionsPerAddress: String?
    @Option(help: Self.help("head-timeout")) var headTimeout: String?
    @Option(help: Self.help("idle-timeout")) var idleTimeout: String?
    @Option(help: Self.help("write-timeout")) var writeTimeout: String?
    @Option(help: Self.help("content-timeout")) var contentTimeout: String?
    @Option(help: Self.help("minimum-rate")) var minimumRate: String?
    @Option(help: Self.help("render-timeout")) var renderTimeout: String?
    @Option(help: Self.help("cost-limit")) var costLimit: String?
    @Option(help: Self.help("memory-limit")) var memoryLimit: String?
    @Option(help: Self.help("render-memory")) var renderMemory: String?
    @Option(help: Self.help("effort-max")) var effortMax: String?
    @Option(help: Self.help("drain-timeout")) var drainTimeout: String?
    @Option(help: Self.help("access-log")) var accessLog: String?
    @Option(help: Self.help("access-log-file")) var accessLogFile: String?
    @Option(help: Self.help("log-format")) var logFormat: String?
    @Option(help: Self.help("log-level")) var logLevel: String?
    @Option(help: Self.help("public-url")) var publicURL: String?
    @Option(help: Self.help("trusted-proxies")) var trustedProxies: String?
    @Option(help: Self.help("cors-origins")) var corsOrigins: String?
    @Option(help: Self.help("cross-origin-resource-policy")) var crossOriginResourcePolicy: String?
    @Option(help: Self.help("token")) var token: String?
    @Option(help: Self.help("token-file")) var tokenFile: String?
    @Option(help: Self.help("keys")) var keys: String?
    @Option(help: Self.help("unsigned")) var unsigned: String?
    @Option(help: Self.help("budget")) var budget: String?
    @Option(help: Self.help("budget-depth")) var budgetDepth: String?
    @Option(help: Self.help("budget-owner")) var budgetOwner: String?
    @Option(help: Self.help("forwarded-field")) var forwardedField: String?
    @Option(help: Self.help("hosts")) var hosts: String?
    @Option(help: Self.help("presets-only")) var presetsOnly: String?
    @Option(help: Self.help("image-side")) var imageSide: String?
    @Option(help: Self.help("sizes")) var sizes: String?
    @Option(help: Self.help("size-rule")) var sizeRule: String?
    @Option(help: Self.help("metrics-listen")) var metricsListen: String?
    @Option(help: Self.help("listing")) var listing: String?
    @Option(help: Self.help("originals")) var originals: String?
    @Option(help: Self.help("metadata")) var metadata: String?
    @Option(help: Self.help("explain")) var explain: String?
    @Option(help: Self.help("isolation")) var isolation: String?
    @Option(help: Self.help("compat")) var compat: String?

    var values: [String: String] {
        [
            Setting.fileOption: config, "listen": listen, "library": library, "uploads": uploads,
            "upload-limit": uploadLimit, "upload-count": uploadCount, "upload-total": uploadTotal,
            "upload-expiry": uploadExpiry,
            "map-archive": mapArchive, "map-world": mapWorld, "map-style": mapStyle, "map-files": mapFiles,
            "maps": maps, "map-allow": mapAllow, "map-attribution": mapAttribution, "map-side": mapSide,
            "cache-memory": cacheMemory, "cache-dir": cacheDir, "cache-disk": cacheDisk, "cache-files": cacheFiles,
            "cache-storage": cacheStorage, "map-cache-control": mapCacheControl, "source-stale": sourceStale,
            "shared-cache": sharedCache, "shared-objects": sharedObjects, "loops": loops, "workers": workers,
            "queue": queue, "cache-control": cacheControl,
            "cdn-cache-control": cdnCacheControl, "source-bytes": sourceBytes, "source-pixels": sourcePixels,
            "connections": connections,
            "head-timeout": headTimeout, "idle-timeout": idleTimeout, "write-timeout": writeTimeout,
            "source-lifetime": sourceLifetime, "connections-per-address": connectionsPerAddress,
            "content-timeout": contentTimeout, "formats": formats, "frames": frames, "frame-pixels": framePixels,
            "remote-allow": remoteAllow, "remote-rewrite": remoteRewrite, "remote-addresses": remoteAddresses,
            "remote-identities": remoteIdentities,
            "remote-timeout": remoteTimeout, "remote-lifetime": remoteLifetime, "offline": offline,
            "s3-endpoint": s3Endpoint, "s3-region": s3Region, "s3-style": s3Style, "s3-key-id": s3KeyID,
            "s3-secret": s3Secret, "s3-session-token": s3SessionToken, "s3-buckets": s3Buckets,
            "linear-light": linearLight, "masters": masters, "presets": presets,
            "card-templates": cardTemplates,
            "client-hints": clientHints,
            "cost-limit": costLimit, "memory-limit": memoryLimit, "render-memory": renderMemory,
            "effort-max": effortMax,
            "minimum-rate": minimumRate, "render-timeout": renderTimeout, "drain-timeout": drainTimeout,
            "public-url": publicURL, "trusted-proxies": trustedProxies,
            "log-format": logFormat, "log-level": logLevel,
            "access-log": accessLog, "access-log-file": accessLogFile, "cors-origins": corsOrigins,
            "cross-origin-resource-policy": crossOriginResourcePolicy, "token": token,
            "token-file": tokenFile, "keys": keys, "unsigned": unsigned, "budget": budget,
            "budget-depth": budgetDepth, "budget-owner": budgetOwner, "forwarded-field": forwardedField,
            "hosts": hosts, "presets-only": presetsOnly, "image-side": imageSide, "sizes": sizes,
            "size-rule": sizeRule, "metrics-listen": metricsListen, "listing": listing, "originals": originals,
            "metadata": metadata, "explain": explain, "isolation": isolation,
            "compat": compat,
        ].compactMapValues { $0 }
    }

    private static func help(_ name: String) -> ArgumentHelp {
        let setting = Setting.all.first { $0.name == name }
        return ArgumentHelp(setting.map { "\($0.purpose) (\($0.allowed))" } ?? "")
    }
}
