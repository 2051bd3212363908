import HTTPMessage
import HTTPServer
import Renditions

/// Every endpoint of the service, a line each. Routing, `Allow`, OPTIONS, preflight answers, rules for content, metrics
/// and the index page follow from it.
enum EndpointTable {
    /// A class, as copying a row for each request would count references.
    final class Row: Sendable {
        let endpoint: Endpoint
        let route: RenditionRoute
        let paths: [PathTemplate]
        let methods: MethodSet
        let accepts: AcceptedContent
        let caching: AnswerCaching
        /// For requests with one of `methods`.
        let answer: @Sendable (ServiceHandler, RequestContext) -> Answer
        let allow: String

        init(
            _ endpoint: Endpoint, _ label: String, _ paths: [PathTemplate], methods: MethodSet = .reading,
            accepts: AcceptedContent = .nothing, caching: AnswerCaching,
            answer: @escaping @Sendable (ServiceHandler, RequestContext) -> Answer
        ) {
            self.endpoint = endpoint
            route = RenditionRoute(endpoint.rawValue, label)
            self.paths = paths
            self.methods = methods
            self.accepts = accepts
            self.caching = caching
            self.answer = answer
            allow = methods.allow
        }
    }

    private static let tilePaths = ["/tiles/{style}/{z}/{x}/{y}.{extension}", "/tiles/{style}.json"]
    private static let iiifPaths = [
        "/iiif/{version}/{id}", "/iiif/{version}/{id}/info.json",
        "/iiif/{version}/{id}/{region}/{size}/{rotation}/{quality}.{format}", "/iiif/manifest/{id}",
    ]
    private static let dataPaths = ["/data/{source}/{z}/{x}/{y}.{extension}", "/data/{source}.json"]

    /// In the order of ``Endpoint``.
    // swift-format-ignore
    static let rows: [Row] = [
        Row(.asset, "asset", [.exactly("/asset")], caching: .configured) { $0.rendition($1) },
        Row(.srcset, "srcset", [.exactly("/srcset")], caching: .configured) { $0.srcset($1) },
        Row(.map, "map", [.exactly("/map")], methods: [.reading, .post], accepts: .parameters, caching: .configured) { $0.drawn($1, posted: $0.maps.posted) },
        Row(.avatar, "avatar", [.exactly("/avatar")], methods: [.reading, .post], accepts: .parameters, caching: .configured) { $0.drawn($1, posted: $0.cards.postedAvatar) },
        Row(.hashedAvatar, "avatar_hash", [.below("/avatar/", documented: ["/avatar/{hash}"])], caching: .configured) { $0.hashedAvatar($1) },
        Row(.namedAvatar, "avatar_name", [.exactly("/api/")], caching: .configured) { $0.namedAvatar($1) },
        Row(.poll, "poll", [.exactly("/poll")], methods: [.reading, .post], accepts: .parameters, caching: .configured) { $0.drawn($1, posted: $0.cards.posted) },
        Row(.pollDescription, "poll_description", [.exactly("/poll.json")], caching: .configured) { $0.rendition($1) },
        Row(.card, "card", [.exactly("/card")], methods: [.reading, .post], accepts: .parameters, caching: .configured) { $0.drawn($1, posted: $0.cards.postedCard(by: $1.policy.templates)) },
        Row(.iiif, "iiif", [.below("/iiif/", documented: iiifPaths)], caching: .configured) { $0.iiif($1) },
        Row(.cache, "cache", [.exactly("/cache")], methods: .delete, accepts: .token, caching: .never) { $1.orProblem(CacheEndpoint.purge) },
        Row(.tiles, "tiles", [.below("/tiles/", documented: tilePaths)], caching: .configured) { $1.orProblem(TileEndpoint.answer) },
        Row(.data, "data", [.below("/data/", documented: dataPaths)], caching: .configured) { $1.orProblem(DataEndpoint.answer) },
        Row(.wmts, "wmts", [.exactly("/wmts")], caching: .configured) { $1.orProblem(TileEndpoint.wmts) },
        Row(.styles, "styles", [.below("/styles/", documented: ["/styles/{style}.json"])], caching: .configured) { $1.orProblem(StyleEndpoint.answer) },
        Row(.sprites, "sprites", [.below("/sprites/", documented: ["/sprites/{style}/{sprite}.{extension}"])], caching: .configured) { $1.orProblem(SpriteEndpoint.answer) },
        Row(.glyphs, "glyphs", [.below(GlyphAddress.path, documented: ["/fonts/{stack}/{range}.pbf"])], caching: .configured) { $1.orProblem(GlyphEndpoint.answer) },
        Row(.mapDescription, "map_description", [.exactly("/map.json")], caching: .configured) { $0.rendition($1) },
        Row(.uploads, "uploads", [.exactly("/uploads")], methods: .post, accepts: .resumableUpload, caching: .never) { ResumableUploadService.answer($1) },
        Row(.upload, "upload", [.below("/uploads/", documented: ["/uploads/{token}"])], methods: [.head, .patch, .delete], accepts: .resumableUpload, caching: .never) { ResumableUploadService.answer($1) },
        Row(.assets, "assets", [.exactly("/assets")], methods: [.reading, .post], accepts: .file, caching: .never) { $1.orProblem(AssetsEndpoint.answer) },
        Row(.original, "asset_original", [.asset(DescribedPath.original)], caching: .configured) { $1.orProblem(OriginalEndpoint.answer) },
        Row(.assetPages, "asset_pages", [.asset(DescribedPath.pages)], caching: .configured) { $0.pages($1) },
        Row(.assetFocus, "asset_focus", [.asset(DescribedPath.focus)], methods: [.put, .delete], accepts: .point, caching: .never) { $1.orProblem(FocusEndpoint.answer) },
        Row(.assetDescription, "asset_description", [.asset("")], methods: [.reading, .put, .delete], accepts: .file, caching: .configured) { $0.asset($1) },
        Row(.healthLive, "health_live", [.exactly("/health/live")], caching: .never) { $1.text("alive\n") },
        Row(.healthReady, "health_ready", [.exactly("/health/ready")], caching: .never) { $1.orProblem(TextEndpoints.ready) },
        Row(.openAPI, "openapi", [.exactly("/openapi.yaml")], caching: .seconds(3600)) { $1.orProblem(TextEndpoints.openAPI) },
        Row(.script, "script", [.exactly("/veduta.js")], caching: .seconds(3600)) { $1.orProblem(TextEndpoints.script) },
        Row(.pageFile, "page_file", [.below(PageFiles.path, documented: ["/pages/{file}"])], caching: .revalidated) { $1.orProblem(TextEndpoints.pageFile) },
        Row(.view, "view", [.exactly("/view")], caching: .configured) { $0.view($1) },
        Row(.maps, "maps", [.exactly("/maps")], caching: .never) { $1.orProblem(TextEndpoints.maps) },
        Row(.metrics, "metrics", [.exactly("/metrics")], caching: .never) { TextEndpoints.metrics($1) },
        Row(.index, "index", [.exactly("/")], caching: .never) { $1.orProblem(TextEndpoints.index) },
        Row(.unknown, "unknown", [], caching: .never) { $1.refused(.routeAbsent) },
    ]
}

extension EndpointTable {
    /// Most requests are for these paths, which are looked at first, without counting references.
    fileprivate static let exactPaths: [(path: StaticString, endpoint: Endpoint)] = rows.flatMap { row in
        row.paths.compactMap { if case .exactly(let path) = $0 { (path, row.endpoint) } else { nil } }
    }
}

extension Endpoint {
    /// The resource at the path of `target`, compared byte by byte; escapes of unreserved characters are undone.
    init(_ target: borrowing RequestTarget) {
        for (path, endpoint) in EndpointTable.exactPaths where target.hasPath(path) {
            self = endpoint
            return
        }
        for row in EndpointTable.rows {
            for path in row.paths where path.matches(target) {
                self = row.endpoint
                return
            }
        }
        self = .unknown
    }

    var row: EndpointTable.Row { EndpointTable.rows[rawValue] }

    /// In metrics and in cache keys.
    var label: String { row.route.label }
    var route: RenditionRoute { row.route }
    var allow: String { row.allow }

    var isResumable: Bool { row.accepts == .resumableUpload }

    /// OPTIONS, which every resource has, is answered apart.
    func takes(_ method: Method) -> Bool { row.methods.has(method) }
}

enum PathTemplate: Sendable {
    case exactly(StaticString)
    /// Every path that begins so; `documented` are the templates of the contract.
    case below(StaticString, documented: [String])
    /// `/assets/{id}` and this suffix. Ids may have slashes.
    case asset(String)

    /// Compared as sent; allocates only for ``asset(_:)``.
    func matches(_ target: RequestTarget) -> Bool {
        switch self {
        case .exactly(let path): target.hasPath(path)
        case .below(let prefix, _): target.hasPathPrefix(prefix)
        case .asset(let suffix):
            target.hasPathPrefix("/assets/") && (suffix.isEmpty || DescribedPath.hasID(target, before: suffix))
        }
    }

    /// As `openapi.yaml` has them.
    var documented: [String] {
        switch self {
        case .exactly(let path): ["\(path)"]
        case .below(_, let templates): templates
        case .asset(let suffix): ["/assets/{id}" + suffix]
        }
    }
}
