package import MapRender

/// The built-in world, which is drawn around what the default archive covers.
package struct MapSurroundings: Sendable {
    /// Its tiles.
    let archive: any SourceArchive
    /// The archive that it is drawn around; nil where there is none that can be used.
    let inner: MapSourceEntry?
    /// Whether the style shows less of that than it has.
    let isRestricted: Bool

    /// Who has to be named where it is drawn.
    package var attribution: String? { archive.attribution }

    /// What names its state in keys and tags of pictures from `camera` in which it may be seen; nil where it cannot be. Nothing
    /// is read. Without a camera the picture may be of anywhere.
    package func validator(seenFrom camera: Camera?) -> String? {
        guard let camera, let inner, !isRestricted else { return archive.validator }
        let isPicture = inner.kind != .vector
        let coverage = MapCoverage(
            bounds: inner.archive.bounds, zooms: inner.archive.zooms, isPicture: isPicture,
            tileSize: inner.archive.tileSize ?? 512, of: View(camera))
        return coverage == .full ? nil : archive.validator
    }
}
