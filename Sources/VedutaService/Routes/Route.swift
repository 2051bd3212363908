import HTTPMessage

/// The resources of the service.
///
/// Raw values are places in `allCases`, so that a counter is found by the enum itself; names are `label`.
enum Route: Int, CaseIterable, Sendable {
    case asset, map, cache
    /// Rendered tiles, tiles of sources, and what GIS find the former by.
    case tiles, data, wmts
    /// What a map shows, without a picture.
    case mapDescription
    /// Where uploads begin that may be resumed, and one of these.
    case uploads, upload
    /// All assets; one of them, its pages, and its octets as they are.
    case assets, assetDescription, assetPages, original
    case healthLive, healthReady
    case openAPI, metrics, index
    /// A path that nothing is at.
    case unknown

    /// The name in metrics and in the digests of cache keys.
    var label: String {
        switch self {
        case .asset: "asset"
        case .map: "map"
        case .cache: "cache"
        case .tiles: "tiles"
        case .data: "data"
        case .wmts: "wmts"
        case .mapDescription: "map_description"
        case .uploads: "uploads"
        case .upload: "upload"
        case .assets: "assets"
        case .assetDescription: "asset_description"
        case .assetPages: "asset_pages"
        case .original: "asset_original"
        case .healthLive: "health_live"
        case .healthReady: "health_ready"
        case .openAPI: "openapi"
        case .metrics: "metrics"
        case .index: "index"
        case .unknown: "unknown"
        }
    }

    /// The resource at the path of `target`, which is compared octet for octet; escapes of unreserved characters are undone.
    init(_ target: RequestTarget) {
        let route = Route { target.hasPath($0) }
        if route == .unknown, target.hasPathPrefix("/tiles/") {
            self = .tiles
        } else if route == .unknown, target.hasPathPrefix("/data/") {
            self = .data
        } else if route == .unknown, target.hasPathPrefix("/assets/") {
            self = Route(inAsset: target)
        } else if route == .unknown, target.hasPathPrefix("/uploads/") {
            self = .upload
        } else {
            self = route
        }
    }

    /// The resource at a path that begins with `/assets/`: what stands behind the id decides.
    private init(inAsset target: RequestTarget) {
        if DescribedPath.hasID(target, before: DescribedPath.original) {
            self = .original
        } else if DescribedPath.hasID(target, before: DescribedPath.pages) {
            self = .assetPages
        } else {
            self = .assetDescription
        }
    }

    /// The resource whose path `isPath` says yes to; what varies in a path stands there as in the contract.
    init(where isPath: (StaticString) -> Bool) {
        if isPath("/asset") {
            self = .asset
        } else if isPath("/map") {
            self = .map
        } else if isPath("/tiles/{style}/{z}/{x}/{y}.{extension}") || isPath("/tiles/{style}.json") {
            self = .tiles
        } else if isPath("/data/{source}/{z}/{x}/{y}.{extension}") || isPath("/data/{source}.json") {
            self = .data
        } else if isPath("/wmts") {
            self = .wmts
        } else if isPath("/map.json") {
            self = .mapDescription
        } else if isPath("/assets") {
            self = .assets
        } else if isPath("/assets/{id}") {
            self = .assetDescription
        } else if isPath("/assets/{id}/pages") {
            self = .assetPages
        } else if isPath("/assets/{id}/original") {
            self = .original
        } else if isPath("/cache") {
            self = .cache
        } else if isPath("/uploads") {
            self = .uploads
        } else if isPath("/uploads/{token}") {
            self = .upload
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

    /// Whether answers are made of sources of maps.
    var isMap: Bool {
        switch self {
        case .map, .mapDescription, .tiles, .data, .wmts: true
        default: false
        }
    }

    /// Whether requests are of the tus protocol.
    var isResumable: Bool { self == .uploads || self == .upload }

    /// The methods of most resources, and of the server itself (`OPTIONS *`).
    static let allowReading = "GET, HEAD, OPTIONS"

    /// The methods of the resource.
    var allow: String {
        switch self {
        case .cache: "DELETE, OPTIONS"
        case .uploads: Tus.creationMethods
        case .upload: Tus.uploadMethods
        case .assets, .map: "GET, HEAD, POST, OPTIONS"
        case .assetDescription: "GET, HEAD, PUT, DELETE, OPTIONS"
        case .asset, .mapDescription, .tiles, .data, .wmts, .assetPages, .original, .healthLive, .healthReady, .openAPI,
            .metrics, .index, .unknown:
            Self.allowReading
        }
    }

    /// Whether the resource has the method. OPTIONS is every resource's and is answered apart.
    func takes(_ method: Method) -> Bool {
        switch (self, method) {
        case (.cache, .delete): true
        case (.cache, _): false
        case (.uploads, .post), (.upload, .head), (.upload, .patch), (.upload, .delete): true
        case (.uploads, _), (.upload, _): false
        case (.map, .post), (.assets, .post), (.assetDescription, .put), (.assetDescription, .delete): true
        case (_, .get), (_, .head): true
        case (_, _): false
        }
    }
}
