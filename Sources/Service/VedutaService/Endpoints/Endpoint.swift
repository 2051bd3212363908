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

    /// Whether queries of it are remembered with their renditions.
    var hasMemo: Bool { self == .asset || self == .map || self == .mapDescription }

    /// Whether answers are made of sources of maps.
    var isMap: Bool {
        switch self {
        case .map, .mapDescription, .tiles, .data, .wmts: true
        default: false
        }
    }
}
