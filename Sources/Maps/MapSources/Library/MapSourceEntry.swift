package import MapRender
package import MapStyle

/// What the tiles of a source show.
package enum SourceKind: String, Sendable, CaseIterable {
    case vector
    case raster
    /// Heights.
    case terrain = "raster-dem"
}

/// A source of tiles that the service has by name.
package struct MapSourceEntry: Sendable {
    /// What styles (`veduta://NAME`) and addresses call it.
    package let name: String
    /// What its tiles show.
    package let kind: SourceKind
    /// Its tiles.
    package let archive: any SourceArchive
    /// How heights are written, for terrain.
    package let encoding: DEMEncoding?

    /// Pixels of a tile's side, where that is known without asking anybody.
    let knownTileSize: Int?

    /// Changes with the source: part of entity tags. Asking costs nothing.
    package var validator: String { archive.validator }

    /// What it says of itself, completed by the configuration. Of an archive of another server the first call may wait.
    package func details() throws(ResourceError) -> SourceDetails { try archive.details() }

    init(
        name: String, kind: SourceKind, archive: any SourceArchive, encoding: DEMEncoding? = nil,
        knownTileSize: Int? = nil
    ) {
        self.name = name
        self.kind = kind
        self.archive = archive
        self.encoding = encoding
        self.knownTileSize = knownTileSize
    }
}
