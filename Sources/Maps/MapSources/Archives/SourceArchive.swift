package import MapRender
package import MapStyle

/// Tiles that can be had decoded for pictures, or as they are kept, and that say what they are.
package protocol SourceArchive: TileArchive {
    /// Sees to it that it can say what it is and has tiles: of an archive of another server the first call waits for that,
    /// and throws when it cannot be had now. `shouldStop` is asked again and again meanwhile.
    func open(shouldStop: () -> Bool) throws(ResourceError)
    /// What it says of itself, opened if need be.
    func details() throws(ResourceError) -> SourceDetails
    /// A tile as it is kept; nil when there is none.
    func storedTile(_ id: TileCoordinate) throws(ResourceError) -> StoredTile?
}

extension SourceArchive {
    package func open(shouldStop: () -> Bool) throws(ResourceError) {}

    /// The same, however long it takes.
    package func open() throws(ResourceError) { try open(shouldStop: { false }) }
}
