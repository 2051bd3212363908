import Parameters

/// One row of the table of settings: an option of `veduta serve`, an environment variable, a line of the documents.
package struct Setting: Sendable {
    /// The option's name without dashes: `cache-memory`.
    package let name: String
    /// What it takes, for messages and documents.
    package let allowed: String
    /// What it is for.
    package let purpose: String
    /// Writes a value; false when the text is not allowed.
    let apply: @Sendable (String, inout Configuration) -> Bool
    /// Whether two configurations have different values of it.
    let differs: @Sendable (Configuration, Configuration) -> Bool
    /// Writes the value of the first configuration into the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void
    /// Whether a running server takes a new value when the configuration is read again (SIGHUP).
    package var isReloadable = false
    /// Whether its value is told to nobody: not in messages, not in the log.
    package var isSecret = false

    /// The environment variable: `VEDUTA_CACHE_MEMORY`.
    package var variable: String {
        "VEDUTA_" + name.uppercased().replacing("-", with: "_")
    }

    /// The option, without dashes, that names the configuration file. It is none of the settings, which the file holds.
    package static let fileOption = "config"
    /// The environment variable for the same.
    package static let fileVariable = "VEDUTA_CONFIG"

    /// Variables of the design that no version supports yet.
    static let plannedVariables = ["VEDUTA_KEYS"]

    /// The value of the variable `name` as a message may show it. That of a name which looks like a secret's, or is one
    /// misspelt, is hidden as well.
    static func shown(_ value: String, of name: String) -> String {
        let meant = nearest(to: name)
        let isSecret =
            all.contains { $0.isSecret && $0.variable == meant }
            || ["TOKEN", "KEY", "SECRET", "PASS"].contains { name.uppercased().contains($0) }
        return isSecret && !value.isEmpty ? "(not shown)" : value
    }

    /// What a planned variable must be told.
    static let plannedText = "this version does not support it; unset it"

    /// The variable that was probably meant by `name`.
    static func nearest(to name: String) -> String? {
        Suggestion.nearest(to: name, among: all.map(\.variable) + [fileVariable])
    }

    /// Variables of our scripts and tests.
    static let testVariables = [
        "VEDUTA_BINARY", "VEDUTA_SHARED", "VEDUTA_RECORD_GOLDENS", "VEDUTA_RUBBISH_SECONDS",
    ]

    package static let all: [Setting] = [
        text(
            "listen", \.listen, allowed: "host:port, [v6]:port, unix:/path or systemd",
            "where to listen; 127.0.0.1:8080"),
        path("library", \.library, "the folder whose pictures are served"),
        path("uploads", \.uploads, "the folder of uploads, or s3://bucket/prefix; none: nothing can be uploaded"),
        size("upload-limit", \.uploadLimit, in: 1024...(1 << 30), "largest upload; 64m"),
        count(
            "upload-count", \.uploadCount, in: 1...100_000_000, "assets that the folder of uploads may hold; 1000000"),
        size("upload-total", \.uploadTotal, in: 1024...(1 << 50), "octets that they may have together; 100g"),
        count(
            "upload-expiry", \.uploadExpiry, in: 1...31_536_000,
            "seconds that an upload which is not complete waits to be resumed; 86400"),
        path("map-archive", \.mapArchive, "a PMTiles or MBTiles archive, or the address of one; the built-in world"),
        flag("map-world", \.mapWorld, "whether the built-in world is drawn around what the archive covers; on"),
        path("map-style", \.mapStyle, "a MapLibre style that maps are drawn in; the built-in style light"),
        path("map-files", \.mapFiles, "the folder of archives, glyphs and sprites that the style names; its own"),
        path("maps", \.maps, "a file of named sources and styles of maps; none"),
        remoteOrigins("map-allow", \.mapAllow, "servers that maps may be drawn from; off"),
        choice("map-attribution", \.mapAttribution, "whether maps name their sources; required"),
        count("map-side", \.mapSide, in: 512...16_384, "pixels of the longer side of a map; 4096"),
        size("cache-memory", \.cacheMemory, in: 0...(1 << 40), "bound of the memory cache, overhead included; 256m"),
        path("cache-dir", \.cacheDirectory, "folder of the cache on disk; none"),
        size("cache-disk", \.cacheDisk, in: (1 << 20)...(1 << 50), "bound of the cache on disk; 10g"),
        count("cache-files", \.cacheFiles, in: 1...100_000_000, "files that the cache on disk may have; 1000000"),
        choice("cache-storage", \.cacheStorage, "where pictures are kept; all"),
        count("loops", \.loops, in: 0...256, "event loops; 0: one for each processor"),
        count("workers", \.workers, in: 0...256, "threads that decode, draw and encode; 0: one for each processor"),
        count("queue", \.queue, in: 1...65536, "jobs that may wait for a worker; 256"),
        text("cache-control", \.cacheControl, allowed: "a field value", "Cache-Control of pictures").reloadable,
        text("map-cache-control", \.mapCacheControl, allowed: "a field value", "Cache-Control of maps; as of pictures")
            .reloadable,
        size("source-bytes", \.sourceBytes, in: 1024...(1 << 30), "largest source file; 64m"),
        count("source-pixels", \.sourcePixels, in: 1...1_000_000_000, "largest source in pixels of a page; 100000000"),
        formats("formats", \.formats, "formats of sources that are read only if they are named here; off"),
        count(
            "frames", \.frames, in: 1...100_000, "frames or pages of an answer; of a source with more the first; 1000"),
        count(
            "frame-pixels", \.framePixels, in: 1...1_000_000_000,
            "pixels of an answer, all frames or pages together; beyond that the first; 50000000"),
        flag("linear-light", \.linearLight, "whether pictures are made smaller in linear light; off"),
        flag("masters", \.masters, "whether reduced copies of large sources are kept and used; on"),
        path("presets", \.presets, "a file of named sets of parameters; none").reloadable,
        flag("client-hints", \.clientHints, "whether Save-Data and client hints count; off"),
        count(
            "source-lifetime", \.sourceLifetime, in: 0...3600,
            "seconds for which a source is taken to be as it was last seen; 1, 0: looked at for every request"),
        count(
            "source-stale", \.sourceStale, in: 0...86_400,
            "seconds after that in which a source is looked at while what is known of it is served; 0"),
        remoteOrigins("remote-allow", \.remoteAllow, "servers that pictures may be fetched from; off"),
        addressRanges("remote-addresses", \.remoteAddresses, "addresses beside public ones that they may have; off"),
        path(
            "remote-identities", \.remoteIdentities, "a file of what is shown to them: credentials, certificates; none"),
        count("remote-timeout", \.remoteTimeout, in: 1...3600, "seconds that fetching a picture may take; 20"),
        count(
            "remote-lifetime", \.remoteLifetime, in: 0...86_400,
            "seconds for which a fetched picture is fresh whose server does not say; 60"),
        url("s3-endpoint", \.s3Endpoint, "where S3 is spoken; none"),
        text("s3-region", \.s3Region, allowed: "a word", "what requests to it are signed for; us-east-1"),
        choice("s3-style", \.s3Style, "how its addresses name a bucket; path"),
        secret("s3-key-id", \.s3KeyID, "the id of the key that signs them; none"),
        secret("s3-secret", \.s3Secret, "the key; none"),
        buckets("s3-buckets", \.s3Buckets, "buckets of which pictures may be asked for as s3://bucket/key; off"),
        flag("offline", \.offline, "whether no other server is asked: what is held is served; off"),
        count("connections", \.connections, in: 1...1_000_000, "connections open at once; 8192").reloadable,
        count(
            "connections-per-address", \.connectionsPerAddress, in: 1...1_000_000,
            "connections open at once from one IPv4 address or IPv6 /64 network; 4096"
        ).reloadable,
        count("head-timeout", \.headTimeout, in: 1...3600, "seconds that a request head may take; 10").reloadable,
        count("idle-timeout", \.idleTimeout, in: 1...3600, "seconds that a connection may be idle; 60").reloadable,
        count("write-timeout", \.writeTimeout, in: 1...3600, "seconds that a client may take no octet of an answer; 30")
            .reloadable,
        count(
            "content-timeout", \.contentTimeout, in: 1...3600, "seconds that a client may send no octet of content; 20"
        )
        .reloadable,
        count(
            "minimum-rate", \.minimumRate, in: 0...1_000_000_000,
            "octets a second that a client must take or send; 240, 0: any"
        ).reloadable,
        count("render-timeout", \.renderTimeout, in: 1...3600, "seconds that a picture may take; 30").reloadable,
        count(
            "cost-limit", \.costLimit, in: 1...3600,
            "seconds of one processor that a picture may need, as predicted from its header; 5"),
        size(
            "memory-limit", \.memoryLimit, in: (1 << 20)...(1 << 40),
            "memory that a picture may need, as predicted from its header; 1g"),
        size(
            "render-memory", \.renderMemory, in: 0...(1 << 50),
            "memory that all pictures being made may need together; 0: 512m for each worker, at least 1g"),
        count(
            "effort-max", \.effortMax, in: 1...10, "highest effort for AVIF and JPEG XL; a higher one counts as this; 5"
        ),
        count("drain-timeout", \.drainTimeout, in: 0...3600, "seconds that running requests get after SIGTERM; 8")
            .reloadable,
        choice("access-log", \.accessLog, "a line for each request; off").reloadable,
        path("access-log-file", \.accessLogFile, "where those lines are added; standard output").reloadable,
        publicURL(
            "public-url", \.publicURL,
            "the address of this server in TileJSON and WMTS; the one that the client or a trusted proxy names"
        ).reloadable,
        proxies(
            "trusted-proxies", \.trustedProxies, "proxies whose X-Forwarded-Host, -Proto and -For are believed; off"
        )
        .reloadable,
        origins("cors-origins", \.corsOrigins, "whose pages may read answers (CORS); off").reloadable,
        choice(
            "cross-origin-resource-policy", \.crossOriginResourcePolicy,
            "Cross-Origin-Resource-Policy of every answer; off"
        ).reloadable,
        token("token", \.token, "what a client must know to upload, delete and purge; unset: nobody may").reloadable,
    ]
}
