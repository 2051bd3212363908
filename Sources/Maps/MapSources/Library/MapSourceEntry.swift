package import MapRender
package import MapStyle

/// What the tiles of a source show.
package enum SourceKind: String, Sendable, CaseIterable {
    case vector
    case raster
    case terrain = "raster-dem"
}

package struct MapSourceEntry: Sendable {
    /// What styles (`veduta://NAME`) and addresses call it.
    package let name: String
    package let kind: SourceKind
    package let archive: any SourceArchive
    package let encoding: DEMEncoding?
    /// Pixels of a tile's side, if known without a request to another server.
    let knownTileSize: Int?

    /// Changes with the source; part of entity tags. Cheap.
    package var validator: String { archive.validator }

    /// Includes the settings of the configuration. For an archive on another server the first call may wait; it polls
    /// `shouldStop` meanwhile, and throws `cancelled`.
    package func details(shouldStop: () -> Bool = { false }) throws(ResourceError) -> SourceDetails {
        try archive.details(shouldStop: shouldStop)
    }
}
