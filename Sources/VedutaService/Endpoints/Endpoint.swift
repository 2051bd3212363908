import HTTPMessage

/// The resources of the service. What belongs to each is its line in ``EndpointTable``.
///
/// Raw values are places in `allCases` and in the table. Of two whose paths overlap the one with the longer path stands first.
enum Endpoint: Int, CaseIterable, Sendable {
    case asset, map, cache
    /// Rendered tiles, tiles of sources, and what GIS find the former by.
    case tiles, data, wmts
    /// What a map shows, without a picture.
    case mapDescription
    /// Where uploads begin that may be resumed, and one of these.
    case uploads, upload
    /// All assets; of one of them its bytes as they are, its pages, and what is known of it.
    case assets, original, assetPages, assetDescription
    case healthLive, healthReady
    case openAPI, metrics, index
    /// A path that nothing is at.
    case unknown

    /// The resource at the path of `target`, which is compared byte for byte; escapes of unreserved characters are undone.
    init(_ target: RequestTarget) {
        self = EndpointTable.rows.first { row in row.paths.contains { $0.matches(target) } }?.endpoint ?? .unknown
    }

    /// The line of the table.
    var row: EndpointTable.Row { EndpointTable.rows[rawValue] }

    /// The name in metrics and in the digests of cache keys.
    var label: String { row.label }

    /// The methods that it takes, as the field `Allow` lists them.
    var allow: String { row.allow }

    /// Whether answers are made of sources of maps.
    var isMap: Bool {
        switch self {
        case .map, .mapDescription, .tiles, .data, .wmts: true
        default: false
        }
    }

    /// Whether requests are of the tus protocol.
    var isResumable: Bool { row.accepts == .resumableUpload }

    /// Whether the resource has the method. OPTIONS is every resource's and is answered apart.
    func takes(_ method: Method) -> Bool { row.methods.has(method) }
}
