/// The resources of the service.
enum Route: String, CaseIterable, Sendable {
    case asset, map
    case healthLive = "health_live"
    case healthReady = "health_ready"
    case openAPI = "openapi"
    case metrics, index
    /// A path that nothing is at.
    case unknown

    /// The resource at `path`, which is compared as sent.
    init(path: String) {
        switch path {
        case "/asset": self = .asset
        case "/map": self = .map
        case "/health/live": self = .healthLive
        case "/health/ready": self = .healthReady
        case "/openapi.yaml": self = .openAPI
        case "/metrics": self = .metrics
        case "/": self = .index
        default: self = .unknown
        }
    }

    /// The methods of every resource that exists.
    static let allow = "GET, HEAD, OPTIONS"
}
