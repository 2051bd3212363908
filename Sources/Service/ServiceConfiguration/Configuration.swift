package import ImagePlan
package import Origin
package import ResponseCache

/// What an operator can set, with safe defaults. The table of names is in `Setting.swift`.
package struct Configuration: Sendable, Equatable {
    /// Where to listen: `host:port`, `[v6]:port`, `unix:/path`, or `systemd` for a socket of the service manager.
    package var listen = "127.0.0.1:8080"
    /// The folder whose pictures are served; none: every asset is missing.
    package var library: String?
    /// The folder of uploads, or s3://bucket/prefix; none: nothing can be uploaded.
    package var uploads: String?
    /// The most bytes of an upload.
    package var uploadLimit = 64 << 20
    /// How many assets the folder of uploads may hold.
    package var uploadCount = 1_000_000
    /// The bytes that they may have together.
    package var uploadTotal = 100 << 30
    /// For how many seconds an upload that may be resumed is kept when nothing happens to it.
    package var uploadExpiry = 86_400
    /// A PMTiles archive or an MBTiles database to draw maps from, or the address of an archive; none: the built-in world.
    package var mapArchive: String?
    /// Whether the built-in world is drawn around what that archive covers.
    package var mapWorld = true
    /// A MapLibre style to draw maps in; none: the built-in ones alone.
    package var mapStyle: String?
    /// The folder that addresses in that style are relative to; none: the style's own.
    package var mapFiles: String?
    /// A file of named sources and styles of maps; none: those of the other settings alone.
    package var maps: String?
    /// Servers that maps may be drawn from, beside that of the archive.
    package var mapAllow = OriginList.none
    /// Whether pictures of maps have to name their sources.
    package var mapAttribution = MapAttribution.required
    /// Device pixels that a side of a map may have.
    package var mapSide = 4096
    /// The bound of the memory cache in bytes, overhead included; 0 turns it off.
    package var cacheMemory = 256 << 20
    /// The folder of the cache on disk; none: there is no such tier.
    package var cacheDirectory: String?
    /// The bytes that the cache on disk may take.
    package var cacheDisk = 10 << 30
    /// How many files the cache on disk may have.
    package var cacheFiles = 1_000_000
    /// Where pictures are kept.
    package var cacheStorage = StoragePolicy.all
    /// Event loops; 0: as many as there are processors.
    package var loops = 0
    /// Worker threads that decode, draw and encode; 0: as many as there are processors.
    package var workers = 0
    /// Jobs that may wait for a worker; one more is answered 503.
    package var queue = 256
    /// `Cache-Control` of pictures.
    package var cacheControl = "max-age=86400, stale-while-revalidate=604800, stale-if-error=604800"
    /// `Cache-Control` of maps; empty: as of all pictures.
    package var mapCacheControl = ""
    /// The largest source file in bytes.
    package var sourceBytes = 64 << 20
    /// The largest source in pixels, of one frame or page.
    package var sourcePixels = 100_000_000
    /// The formats of sources that are read beyond those that always are.
    package var formats: Set<SourceFormat> = []
    /// The most frames or pages of an answer; of a source with more, the first alone is sent.
    package var frames = 1000
    /// The most pixels of an answer, all frames or pages together; beyond that, the first alone is sent.
    package var framePixels = 50_000_000
    /// Whether pictures are made smaller in linear light.
    package var linearLight = false
    /// Whether reduced copies of large sources are kept in the cache on disk, to make pictures from.
    package var masters = true
    /// The file of named sets of parameters.
    package var presets: String?
    /// Whether what clients say of their screen and line counts where a request leaves it open.
    package var clientHints = false
    /// Seconds for which a source is taken to be as it was when it was last looked at.
    package var sourceLifetime = 1
    /// Seconds after that for which what is known is served while the source is looked at in the background.
    package var sourceStale = 0
    /// The servers that originals may be fetched from.
    package var remoteAllow = OriginList.none
    /// Addresses that they may have beside those of the public internet.
    package var remoteAddresses: [AddressRange] = []
    /// The file of what is shown to them.
    package var remoteIdentities: String?
    /// Seconds that fetching an original may take, all attempts together.
    package var remoteTimeout = 20
    /// Seconds for which an original is fresh whose server does not say.
    package var remoteLifetime = 60
    /// Where S3 is spoken: `https://s3.eu-west-1.amazonaws.com`; none: there are no buckets.
    package var s3Endpoint: OriginURL?
    /// What requests to it are signed for.
    package var s3Region = "us-east-1"
    /// How its URLs name a bucket.
    package var s3Style = S3Service.Style.path
    /// The id of the key that signs them.
    package var s3KeyID: Secret?
    package var s3Secret: Secret?
    /// The buckets whose objects anybody may name.
    package var s3Buckets: [String] = []
    /// Whether no other server is asked.
    package var offline = false
    /// How many connections may be open at once.
    package var connections = 8192
    /// Seconds that a whole request head may take.
    package var headTimeout = 10
    /// Seconds that a connection may be idle between requests.
    package var idleTimeout = 60
    /// Seconds that a client may take none of an answer's bytes.
    package var writeTimeout = 30
    /// Connections from one IPv4 address or IPv6 /64 network open at once.
    package var connectionsPerAddress = 4096
    /// Seconds that a client may send none of the bytes of its content.
    package var contentTimeout = 20
    /// Bytes a second that a client must send or take on average, once that timeout is over; 0: any.
    package var minimumRate = 240
    /// Seconds that a render may wait and run before it is given up.
    package var renderTimeout = 30
    /// Seconds of one core that a picture may be predicted to take.
    package var costLimit = 5
    /// Bytes of memory that a picture may be predicted to take.
    package var memoryLimit = 1 << 30
    /// Bytes of memory that all pictures which are being made may be predicted to take together; 0: by the workers.
    package var renderMemory = 0
    /// The highest effort that encoders make, whatever a request asks for, where more takes minutes.
    package var effortMax = 5
    /// Seconds that running requests get after SIGTERM.
    package var drainTimeout = 8
    /// How requests are logged.
    package var accessLog = AccessLogFormat.off
    /// The file that they are logged in; none: standard output.
    package var accessLogFile: String?
    /// Where clients reach the service, for documents with whole addresses; none: where each client says it does.
    package var publicURL: PublicURL?
    /// The proxies that are believed in that.
    package var trustedProxies = TrustedProxies.none
    /// The origins whose pages may read answers.
    package var corsOrigins = AllowedOrigins.none
    /// Who may embed answers, as browsers enforce it.
    package var crossOriginResourcePolicy = ResourcePolicy.off
    /// The token that lets a client upload, delete and purge; none: nobody may.
    package var token: AccessToken?

    package init() {}
}
