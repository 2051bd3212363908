import Bytes
import MapRender
import MapStyle

/// Stands for other servers in checks that ask nobody.
struct UnaskedServers: RemoteSources {
    func bytes(at address: String) throws(ResourceError) -> SharedBytes? { nil }

    func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive {
        UnaskedArchive(attribution: nil)
    }

    func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive {
        UnaskedArchive(attribution: settings.attribution)
    }

    func archive(of templates: TileTemplates) -> (any TileArchive)? { nil }
    var epoch: String { "" }
}

/// An archive of a server that is not asked.
struct UnaskedArchive: SourceArchive {
    let attribution: String?

    var validator: String { "" }
    var zooms: ClosedRange<Int> { 0...22 }
    var bounds: [Double]? { nil }

    func details() throws(ResourceError) -> SourceDetails { throw Self.error }
    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { throw Self.error }
    func storedTile(_ id: TileCoordinate) throws(ResourceError) -> StoredTile? { throw Self.error }

    private static let error = ResourceError.failed("it is on another server, which was not contacted")
}
