import HTTPMessage

/// The resources of the service.
enum Route: String, CaseIterable, Sendable {
    case asset, map
    case healthLive = "health_live"
    case healthReady = "health_ready"
    case openAPI = "openapi"
    case metrics, index
    /// A path that nothing is at.
    case unknown

    /// The resource at the path of `target`, which is compared as sent.
    init(_ target: RequestTarget) {
        self.init { target.hasPath($0) }
    }

    /// The resource whose path `isPath` says yes to.
    init(where isPath: (StaticString) -> Bool) {
        if isPath("/asset") {
            self = .asset
        } else if isPath("/map") {
            self = .map
        } else if isPath("/health/live") {
            self = .healthLive
        } else if isPath("/health/ready") {
            self = .healthReady
        } else if isPath("/openapi.yaml") {
            self = .openAPI
        } else if isPath("/metrics") {
            self = .metrics
        } else if isPath("/") {
            self = .index
        } else {
            self = .unknown
        }
    }

    /// The methods of every resource that exists.
    static let allow = "GET, HEAD, OPTIONS"
}
