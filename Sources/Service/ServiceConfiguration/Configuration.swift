package import HTTPMessage
package import ImagePlan
package import Origin
package import ResponseCache
package import Sandbox
package import SharedCache
package import URLSigning

/// What an operator can set, with safe defaults. `Setting.all` tells what each is for; times are in seconds, sizes in bytes, and
/// nil means not set.
package struct Configuration: Sendable, Equatable {
    package var listen = "127.0.0.1:8080"
    package var handover: String?
    package var library: String?
    package var uploads: String?
    package var uploadLimit = 64 << 20
    package var uploadCount = 1_000_000
    package var uploadTotal = 100 << 30
    package var uploadExpiry = 86_400
    package var mapArchive: String?
    package var mapWorld = true
    package var mapStyle: String?
    package var mapFiles: String?
    package var maps: String?
    package var mapAllow = OriginList.none
    package var mapAttribution = MapAttribution.required
    /// Device pixels.
    package var mapSide = 4096
    /// 0 turns the memory cache off.
    package var cacheMemory = 256 << 20
    package var cacheDirectory: String?
    package var cacheDisk = 10 << 30
    package var cacheFiles = 1_000_000
    package var cacheStorage = StoragePolicy.all
    package var sharedCache: RedisAddress?
    package var sharedObjects: String?
    package var sharedPrefix = SharedPrefix()
    /// 0: one per processor.
    package var loops = 0
    /// 0: one per processor.
    package var workers = 0
    package var queue = 256
    package var cacheControl = "max-age=86400, stale-while-revalidate=604800, stale-if-error=604800"
    /// Empty: the same as for images.
    package var mapCacheControl = ""
    /// Empty: none.
    package var cdnCacheControl = ""
    package var sourceBytes = 64 << 20
    package var sourcePixels = 100_000_000
    package var formats: Set<SourceFormat> = []
    package var frames = 1000
    package var framePixels = 50_000_000
    package var linearLight = false
    package var masters = true
    package var presets: String?
    package var cardTemplates: String?
    package var clientHints = false
    package var sourceLifetime = 1
    package var sourceStale = 0
    package var remoteAllow = OriginList.none
    package var remoteRewrite: String?
    package var remoteAddresses: [AddressRange] = []
    package var remoteIdentities: String?
    package var remoteTimeout = 20
    package var remoteLifetime = 60
    package var s3Endpoint: OriginURL?
    package var s3Region = "us-east-1"
    package var s3Style = S3Service.Style.path
    package var s3Credentials = S3CredentialChoice.keys
    package var s3KeyID: Secret?
    package var s3Secret: Secret?
    package var s3SessionToken: Secret?
    package var s3Buckets: [String] = []
    package var offline = false
    package var connections = 8192
    package var headTimeout = 10
    package var idleTimeout = 60
    package var writeTimeout = 30
    package var connectionsPerAddress = 4096
    package var contentTimeout = 20
    /// Bytes a second; 0: any.
    package var minimumRate = 240
    package var renderTimeout = 30
    package var costLimit = 10
    package var memoryLimit = 1 << 30
    /// 0: by the number of workers.
    package var renderMemory = 0
    package var effortMax = 5
    package var drainTimeout = 8
    package var accessLog = AccessLogFormat.off
    package var accessLogFile: String?
    package var logFormat = LogFormat.text
    package var logLevel = LogLevel.info
    package var publicURL: PublicURL?
    package var trustedProxies = TrustedProxies.none
    package var corsOrigins = AllowedOrigins.none
    package var crossOriginResourcePolicy = ResourcePolicy.off
    package var token: AccessToken?
    package var tokenFile: String?
    package var keys: SigningKeys?
    package var unsigned: Set<UnsignedRequests> = []
    /// Seconds of processor time a minute for each client; 0: any.
    package var budget = 0
    package var budgetDepth = 60
    package var budgetOwner = BudgetOwner.address
    package var forwardedField = ForwardedField.xForwardedFor
    package var hosts: HostNames?
    package var presetsOnly = false
    /// Device pixels; 0: what the formats hold.
    package var imageSide = 0
    /// Device pixels, ascending; empty: all.
    package var sizes: [Int] = []
    package var sizeRule = SizeRule.round
    package var metricsListen: String?
    package var listing = AccessLevel.on
    package var originals = AccessLevel.on
    package var metadata = AccessLevel.on
    package var explain = AccessLevel.on
    package var isolation = Isolation.all
    package var compat: Set<Compatibility> = []
    /// The program that decodes apart, for tests; nil: this one.
    package var decoder: String?

    package init() {}

    /// Those of `token` and, from `tokenFile`, `others`.
    package func tokens(_ others: [AccessToken]) -> AccessTokens { AccessTokens([token].compactMap(\.self) + others) }
}

package enum AccessLogFormat: String, CaseIterable, Sendable {
    case off
    case json
    /// The Common Log Format with referrer and user agent (`combined` elsewhere), then request id, microseconds and
    /// `complete` or `incomplete`.
    case common
}

/// Of the log of the service.
package enum LogFormat: String, CaseIterable, Sendable {
    case text
    /// An object a line.
    case json
}

/// The least that the log of the service tells.
package enum LogLevel: String, CaseIterable, Sendable { case debug, info, notice, warning, error }

package enum MapAttribution: String, CaseIterable, Sendable {
    /// Most sources of maps demand it.
    case required
    /// Not with `attribution=none`, for pages that name the sources themselves.
    case optional
}
