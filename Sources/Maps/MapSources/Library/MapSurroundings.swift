package import MapRender
import MapStyle

/// The built-in world, which is drawn around what the default archive covers.
package struct MapSurroundings: Sendable {
    /// Its tiles.
    let archive: any SourceArchive
    /// The archive that it is drawn around; nil where there is none that can be used.
    private let inner: MapSourceEntry?
    /// Whether the archive comes from another server, whose tiles may be out of reach.
    private let isRemote: Bool
    /// How the style takes that; nil where it takes less than there is, or in several ways.
    private let kind: Kind?

    /// What the tiles of a source of a style are.
    private enum Kind: Hashable {
        case features
        case pictures(tileSize: Double?)
    }

    /// The world where `style` has it drawn around its sources `ids`, which take the archive `inner`; nil where it has not.
    init?(_ archive: any SourceArchive, around ids: [String], of style: Style, _ inner: MapSourceEntry?, isRemote: Bool)
    {
        let drawn = Set(style.layers.compactMap(\.source))
        var kinds: Set<Kind?> = []
        for id in ids where drawn.contains(id) {
            switch style.sources[id] {
            case .vector(let source)?: kinds.insert(source.isRestricted ? nil : .features)
            case .raster(let source)?, .rasterDEM(let source, _)?:
                // Pictures and heights have it by a source of its own alone.
                guard style.surroundings.contains(where: { $0.value == id && drawn.contains($0.key) }) else { continue }
                kinds.insert(source.isRestricted ? nil : .pictures(tileSize: source.tileSize))
            case .geoJSON?, .image?, .video?, nil: break
            }
        }
        guard let first = kinds.first else { return nil }
        self.archive = archive
        self.inner = inner
        self.isRemote = isRemote
        kind = kinds.count == 1 ? first : nil
    }

    /// Who has to be named where it is drawn.
    package var attribution: String? { archive.attribution }

    /// What names its state in keys and tags of pictures from `camera` in which it may be seen; nil where it cannot be, as long
    /// as all tiles of the archive can be had. Nothing is read. Without a camera the picture may be of anywhere.
    package func validator(seenFrom camera: Camera?) -> String? {
        guard let camera, let inner, let kind else { return archive.validator }
        let (isPicture, tileSize): (Bool, Double?) =
            switch kind {
            case .features: (false, nil)
            case .pictures(let tileSize): (true, tileSize ?? inner.archive.tileSize)
            }
        let coverage = MapCoverage(
            bounds: inner.archive.bounds, zooms: inner.archive.zooms, isPicture: isPicture, tileSize: tileSize ?? 512,
            of: View(camera))
        return coverage == .full ? nil : archive.validator
    }

    /// Whether a picture from `camera` may have to read its tiles, be it because those of the archive are out of reach.
    package func mayBeRead(from camera: Camera) -> Bool { isRemote || validator(seenFrom: camera) != nil }
}

extension TileSource {
    /// Whether a style shows less of the tiles than there is.
    fileprivate var isRestricted: Bool { bounds != nil || minZoom != nil || maxZoom != nil }
}
