import HTTPMessage

/// The resources of the service; ``EndpointTable`` has a line for each. Raw values are places in that table. Of two
/// whose paths overlap the one with the longer path comes first.
enum Endpoint: Int, CaseIterable, Sendable {
    case asset
    /// Many sizes and formats of one asset.
    case srcset
    case map
    /// People and groups.
    case avatar, hashedAvatar
    /// Initials, as another server has them.
    case namedAvatar
    /// A poll, and where its options are.
    case poll, pollDescription
    /// A link preview from a template.
    case card
    /// Images, descriptions and manifests for viewers of the IIIF standard.
    case iiif
    case cache
    /// Rendered tiles, tiles of sources, and the catalogue for GIS.
    case tiles, data, wmts
    /// What renderers of maps in browsers load: styles, sheets of images, and glyphs.
    case styles, sprites, glyphs
    /// What a map shows.
    case mapDescription
    /// Where resumable uploads begin, and one of them.
    case uploads, upload
    /// All assets; of one its bytes, its pages, its focal point, and what is known of it.
    case assets, original, assetPages, assetFocus, assetDescription
    case healthLive, healthReady
    case openAPI, script
    /// Style sheets and scripts of web pages.
    case pageFile
    /// The pages of a document, or several images, to leaf through; the styles and sources of maps.
    case view, maps
    case metrics, index
    case unknown

    /// Whether queries are remembered with their renditions.
    var hasMemo: Bool {
        switch self {
        case .asset, .map, .mapDescription, .avatar, .poll, .pollDescription, .card: true
        default: false
        }
    }

    /// Whether answers with 200 are renditions.
    var isRendered: Bool {
        hasMemo || self == .srcset || self == .hashedAvatar || self == .namedAvatar || self == .tiles || self == .glyphs
            || self == .assetPages || self == .assetDescription || self == .iiif || self == .view
    }
    /// Whether answers are made of sources of maps.
    var isMap: Bool {
        switch self {
        case .map, .mapDescription, .tiles, .data, .wmts, .styles, .sprites: true
        default: false
        }
    }
}

/// What content a request may have, which also decides the request fields that scripts of other origins may send.
enum AcceptedContent: Sendable {
    case nothing
    case token
    /// Those of the query, as JSON.
    case parameters
    case file
    /// A focal point, as JSON.
    case point
    case resumableUpload
}

enum AnswerCaching: Sendable, Equatable {
    case configured
    case seconds(Int)
    /// Kept, and asked about each time.
    case revalidated
    case never

    /// The value of `Cache-Control`; empty where the configuration tells it.
    var cacheControl: String {
        switch self {
        case .configured: ""
        case .seconds(let count): "max-age=\(count)"
        case .revalidated: "no-cache"
        case .never: "no-store"
        }
    }
}

/// The methods of a resource besides OPTIONS, which all have.
struct MethodSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let get = MethodSet(rawValue: 1)
    static let head = MethodSet(rawValue: 2)
    static let post = MethodSet(rawValue: 4)
    static let put = MethodSet(rawValue: 8)
    static let patch = MethodSet(rawValue: 16)
    static let delete = MethodSet(rawValue: 32)

    static let reading: MethodSet = [.get, .head]

    /// Empty for methods that no resource has.
    init(_ method: Method) {
        switch method {
        case .get: self = .get
        case .head: self = .head
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        case .options, .trace, .connect, .other: self = []
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    func has(_ method: Method) -> Bool { !isDisjoint(with: MethodSet(method)) }

    /// The value of `Allow` (RFC 9110 §10.2.1).
    var allow: String {
        let order: [Method] = [.get, .head, .post, .put, .patch, .delete]
        return order.filter(has).map { "\($0.name), " }.joined() + "OPTIONS"
    }
}
