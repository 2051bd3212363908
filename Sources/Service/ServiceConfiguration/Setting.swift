import Parameters

/// One row of the table of settings: an option of `veduta serve`, an environment variable, a line of the documents.
package struct Setting: Sendable {
    /// The option without dashes: `cache-memory`.
    package let name: String
    package let allowed: String
    package let purpose: String
    /// False when the text is not allowed.
    let apply: @Sendable (String, inout Configuration) -> Bool
    let differs: @Sendable (Configuration, Configuration) -> Bool
    /// From the first configuration into the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void
    /// A running server takes a new value on SIGHUP.
    package var isReloadable = false
    /// Neither messages nor the log show its value.
    package var isSecret = false
    /// The words that it takes, for completions; empty: others.
    package var words: [String] = []
    /// Whether it takes the path of a file or folder.
    package var isPath = false
    package fileprivate(set) var group = Group.server

    /// The headings of `veduta serve --help`, in order.
    package enum Group: String, CaseIterable, Sendable {
        case server = "Server and folders"
        case maps = "Maps"
        case cache = "Cache"
        case threads = "Threads"
        case images = "Images"
        case origins = "Other servers"
        case connections = "Connections"
        case work = "Limits of work"
        case logs = "Logs"
        case pages = "Addresses and other sites"
        case access = "Access"
    }

    /// `VEDUTA_CACHE_MEMORY`.
    package var variable: String { "VEDUTA_" + name.uppercased().replacing("-", with: "_") }

    /// The variable that names a file with the value, as containers get secrets: `VEDUTA_S3_SECRET_FILE`; nil for what is
    /// no secret, and where that is a setting of its own (`VEDUTA_TOKEN_FILE`).
    package var secretFileVariable: String? {
        let name = variable + "_FILE"
        return isSecret && !Self.all.contains { $0.variable == name } ? name : nil
    }

    /// Names the configuration file, without dashes; not a setting of the file.
    package static let fileOption = "config"
    package static let fileVariable = "VEDUTA_CONFIG"

    /// The value of `name` as a message may show it; hidden also where the name looks like a secret's, or like one
    /// misspelt.
    static func shown(_ value: String, of name: String) -> String {
        let meant = nearest(to: name)
        let isSecret =
            all.contains { $0.isSecret && $0.variable == meant }
            || ["TOKEN", "KEY", "SECRET", "PASS"].contains { name.uppercased().contains($0) }
        return isSecret && !value.isEmpty ? "(not shown)" : value
    }

    /// The variable that `name` probably means.
    static func nearest(to name: String) -> String? {
        Suggestion.nearest(to: name, among: all.map(\.variable) + [fileVariable])
    }

    static let testVariables = [
        "VEDUTA_BINARY", "VEDUTA_SHARED", "VEDUTA_RECORD_GOLDENS", "VEDUTA_RECORD_TEXTS", "VEDUTA_RUBBISH_SECONDS",
    ]

    package static let all: [Setting] =
        inGroup(.server, server) + inGroup(.maps, maps) + inGroup(.cache, cache) + inGroup(.threads, threads)
        + inGroup(.images, images) + inGroup(.origins, origins) + inGroup(.connections, connections)
        + inGroup(.work, work) + inGroup(.logs, logs) + inGroup(.pages, pages) + inGroup(.access, [ownerToken] + access)

    private static func inGroup(_ group: Group, _ settings: [Setting]) -> [Setting] {
        settings.map { setting in
            var setting = setting
            setting.group = group
            return setting
        }
    }

    private static let server: [Setting] = [
        text(
            "listen", \.listen, allowed: "host:port, [v6]:port, unix:/path or systemd",
            "address to listen on; default 127.0.0.1:8080"),
        path("handover", \.handover, "Unix socket by which a new server takes over from a running one; default none"),
        path("library", \.library, "folder of images to serve"),
        path("uploads", \.uploads, "folder for uploads, or s3://bucket/prefix; default none: uploads are disabled"),
        size("upload-limit", \.uploadLimit, in: 1024...(1 << 30), "size limit of one upload; default 64m"),
        count("upload-count", \.uploadCount, in: 1...100_000_000, "maximum number of uploaded assets; default 1000000"),
        size("upload-total", \.uploadTotal, in: 1024...(1 << 50), "maximum size of all uploads together; default 100g"),
        count(
            "upload-expiry", \.uploadExpiry, in: 1...31_536_000,
            "seconds after which an incomplete upload is deleted; default 86400"),
    ]

    private static let maps: [Setting] = [
        path(
            "map-archive", \.mapArchive,
            "PMTiles or MBTiles archive for maps, or the URL of one; default the built-in world"),
        flag("map-world", \.mapWorld, "draw the built-in world where the archive has no data; default on"),
        path("map-style", \.mapStyle, "MapLibre style for maps; default the built-in style light"),
        path(
            "map-files", \.mapFiles,
            "folder of the archives, glyphs and sprites that the style refers to; default the folder of the style"),
        path("maps", \.maps, "JSON file of named map sources and styles; default none"),
        remoteOrigins("map-allow", \.mapAllow, "servers that map data may be fetched from; default off"),
        choice(
            "map-attribution", \.mapAttribution,
            "whether clients may turn off the attribution of maps; default required"),
        count("map-side", \.mapSide, in: 512...16_384, "maximum pixels of the longer side of a map; default 4096"),
    ]

    private static let cache: [Setting] = [
        size(
            "cache-memory", \.cacheMemory, in: 0...(1 << 40),
            "size limit of the memory cache, overhead included; default 256m"),
        path("cache-dir", \.cacheDirectory, "folder of the disk cache; default none"),
        size("cache-disk", \.cacheDisk, in: (1 << 20)...(1 << 50), "size limit of the disk cache; default 10g"),
        count(
            "cache-files", \.cacheFiles, in: 1...100_000_000,
            "maximum number of files in the disk cache; default 1000000"),
        choice("cache-storage", \.cacheStorage, "where rendered images are cached; default all"),
        sharedCache("shared-cache", \.sharedCache, "cache that servers share, redis://host; default none"),
        text(
            "shared-objects", \.sharedObjects, allowed: "s3://bucket/prefix",
            "bucket for what is too large for shared-cache; default none"),
        sharedPrefix("shared-prefix", \.sharedPrefix, "name of the fleet in keys and objects; default veduta"),
    ]

    private static let threads: [Setting] = [
        count("loops", \.loops, in: 0...256, "number of event loops; default 0: one per processor"),
        count(
            "workers", \.workers, in: 0...256,
            "number of threads that decode, draw and encode; default 0: one per processor"),
        count("queue", \.queue, in: 1...65536, "maximum number of jobs that wait for a worker; default 256"),
    ]

    private static let images: [Setting] = [
        text("cache-control", \.cacheControl, allowed: "a field value", "Cache-Control of images").reloadable,
        text(
            "map-cache-control", \.mapCacheControl, allowed: "a field value",
            "Cache-Control of maps; default the same as for images"
        ).reloadable,
        text(
            "cdn-cache-control", \.cdnCacheControl, allowed: "a field value",
            "CDN-Cache-Control of images and maps; default none: CDNs follow Cache-Control"
        ).reloadable,
        size("source-bytes", \.sourceBytes, in: 1024...(1 << 30), "size limit of a source file; default 64m"),
        count(
            "source-pixels", \.sourcePixels, in: 1...1_000_000_000,
            "maximum pixels of one page of a source; default 100000000"),
        formats("formats", \.formats, "additional source formats to read; default off"),
        count(
            "frames", \.frames, in: 1...100_000,
            "maximum frames or pages of a result; if the source has more, only the first is sent; default 1000"),
        count(
            "frame-pixels", \.framePixels, in: 1...1_000_000_000,
            "maximum pixels of all frames or pages of a result; beyond that, only the first is sent; default 50000000"),
        flag("linear-light", \.linearLight, "scale images down in linear light; default off"),
        flag("masters", \.masters, "keep and use reduced copies of large sources; default on"),
        path("presets", \.presets, "file of named sets of parameters; default none").reloadable,
        path("card-templates", \.cardTemplates, "folder of templates for /card; default none: those of the program")
            .reloadable,
        flag("client-hints", \.clientHints, "use Save-Data and client hints; default off"),
        count(
            "source-lifetime", \.sourceLifetime, in: 0...3600,
            "seconds before a source is checked for changes again; 0: on every request; default 1"),
        count(
            "source-stale", \.sourceStale, in: 0...86_400,
            "further seconds in which the cached image is served while the source is checked; default 0"),
    ]

    private static let origins: [Setting] = [
        remoteOrigins("remote-allow", \.remoteAllow, "servers that images may be fetched from; default off"),
        path(
            "remote-rewrite", \.remoteRewrite,
            "file of addresses of images and what takes their place, before remote-allow; default none"),
        addressRanges(
            "remote-addresses", \.remoteAddresses, "non-public addresses that these servers may have; default off"),
        path(
            "remote-identities", \.remoteIdentities,
            "JSON file of credentials and certificates for these servers; default none"),
        count(
            "remote-timeout", \.remoteTimeout, in: 1...3600, "time limit for fetching an image, in seconds; default 20"),
        count(
            "remote-lifetime", \.remoteLifetime, in: 0...86_400,
            "seconds for which a fetched image is fresh if its server does not say; default 60"),
        url("s3-endpoint", \.s3Endpoint, "URL of the S3 server; default none"),
        text("s3-region", \.s3Region, allowed: "a word", "S3 region; default us-east-1"),
        choice("s3-style", \.s3Style, "whether S3 URLs have the bucket in the path or in the host name; default path"),
        s3Credentials(
            "s3-credentials", \.s3Credentials, "where S3 credentials come from; default keys: the next three settings"),
        secret("s3-key-id", \.s3KeyID, "S3 access key id; default none"),
        secret("s3-secret", \.s3Secret, "S3 secret access key; default none"),
        secret("s3-session-token", \.s3SessionToken, "S3 session token of temporary credentials; default none"),
        buckets("s3-buckets", \.s3Buckets, "buckets whose images clients may request as s3://bucket/key; default off"),
        flag("offline", \.offline, "never connect to other servers: serve only cached sources; default off"),
    ]

    private static let connections: [Setting] = [
        count("connections", \.connections, in: 1...1_000_000, "maximum number of open connections; default 8192")
            .reloadable,
        count(
            "connections-per-address", \.connectionsPerAddress, in: 1...1_000_000,
            "maximum number of open connections from one IPv4 address or IPv6 /64 network; default 4096"
        ).reloadable,
        count(
            "head-timeout", \.headTimeout, in: 1...3600,
            "time limit for receiving a request head, in seconds; default 10"
        ).reloadable,
        count(
            "idle-timeout", \.idleTimeout, in: 1...3600, "seconds after which an idle connection is closed; default 60"
        ).reloadable,
        count(
            "write-timeout", \.writeTimeout, in: 1...3600,
            "seconds without progress after which sending a response stops; default 30"
        ).reloadable,
        count(
            "content-timeout", \.contentTimeout, in: 1...3600,
            "seconds without progress after which receiving content stops; default 20"
        ).reloadable,
        count(
            "minimum-rate", \.minimumRate, in: 0...1_000_000_000,
            "minimum bytes per second that a client must send or receive; 0: no minimum; default 240"
        ).reloadable,
    ]

    private static let work: [Setting] = [
        count("render-timeout", \.renderTimeout, in: 1...3600, "time limit for making an image, in seconds; default 30")
            .reloadable,
        count(
            "cost-limit", \.costLimit, in: 1...3600,
            "maximum processor seconds for one image, predicted from its header; default 10"),
        size(
            "memory-limit", \.memoryLimit, in: (1 << 20)...(1 << 40),
            "maximum memory for one image, predicted from its header; default 1g"),
        size(
            "render-memory", \.renderMemory, in: 0...(1 << 50),
            "maximum memory for all images being made at once; default 0: 512m per worker, at least 1g"),
        count(
            "effort-max", \.effortMax, in: 1...10,
            "maximum effort for AVIF and JPEG XL; higher values are lowered to this; default 5"),
        count(
            "drain-timeout", \.drainTimeout, in: 0...3600,
            "seconds that running requests get to finish after SIGTERM; default 8"
        ).reloadable,
    ]

    private static let logs: [Setting] = [
        choice("access-log", \.accessLog, "format of the access log, one line per request; default off").reloadable,
        path("access-log-file", \.accessLogFile, "file that the access log is appended to; default standard output")
            .reloadable,
        choice("log-format", \.logFormat, "format of the log on standard error; default text").reloadable,
        choice("log-level", \.logLevel, "the least important lines that the log has; default info").reloadable,
    ]

    private static let pages: [Setting] = [
        publicURL(
            "public-url", \.publicURL,
            "URL of this server in TileJSON and WMTS; default taken from the request or a trusted proxy"
        ).reloadable,
        proxies(
            "trusted-proxies", \.trustedProxies,
            "proxies whose X-Forwarded-Host, -Proto and -For are trusted; default off"
        ).reloadable,
        origins("cors-origins", \.corsOrigins, "origins whose web pages may read responses (CORS); default off")
            .reloadable,
        choice(
            "cross-origin-resource-policy", \.crossOriginResourcePolicy,
            "Cross-Origin-Resource-Policy of every response; default off"
        ).reloadable,
    ]

    private static let ownerToken: Setting =
        token("token", \.token, "token that clients must send to upload, delete and purge; default none: nobody may")
        .reloadable
}
