import Bytes
import MapRender
import MapStyle

/// Stands in for other servers in checks, which contact none.
struct OfflineSources: RemoteSources {
    func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? { nil }

    func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive {
        OfflineArchive(attribution: nil)
    }

    func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive {
        OfflineArchive(attribution: settings.attribution)
    }

    func archive(of templates: TileTemplates) -> (any TileArchive)? { nil }
    var epoch: String { "" }
}

private struct OfflineArchive: SourceArchive {
    let attribution: String?
    var validator: String { "" }
    var zooms: ClosedRange<Int> { 0...22 }
    var bounds: [Double]? { nil }
    func details() throws(ResourceError) -> SourceDetails { throw Self.error }
    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { throw Self.error }
    func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile? {
        throw Self.error
    }

    private static let error = ResourceError.failed(MapReport.notContacted)
}
