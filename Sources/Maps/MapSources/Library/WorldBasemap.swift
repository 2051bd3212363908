package import MapRender
import MapStyle

/// The built-in world, drawn around what the default archive covers.
package struct WorldBasemap: Sendable {
    let archive: any SourceArchive
    /// The archive it is drawn around; nil if that cannot be used.
    private let inner: MapSourceEntry?
    /// Whether that archive is on another server, whose tiles may be out of reach.
    private let isRemote: Bool
    /// How the style uses the archive; nil if it uses it in several ways, or restricts it.
    private let kind: Kind?

    private enum Kind: Hashable {
        case features
        case pictures(tileSize: Double?)
    }

    /// `ids`: the sources that use the archive `inner`. Returns nil if the style does not draw the world around them.
    init?(_ archive: any SourceArchive, around ids: [String], of style: Style, _ inner: MapSourceEntry?, isRemote: Bool)
    {
        let drawn = Set(style.layers.compactMap(\.source))
        var kinds: Set<Kind?> = []
        for id in ids where drawn.contains(id) {
            switch style.sources[id] {
            case .vector(let source)?: kinds.insert(source.isRestricted ? nil : .features)
            case .raster(let source)?, .rasterDEM(let source, _)?:
                // Around images and heights the world is a source of its own.
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

    package var attribution: String? { archive.attribution }

    /// The validator for keys and tags of images from `camera` that may show the world; nil if they cannot, provided
    /// all tiles of the archive are within reach. Reads nothing. Without a camera the image may be of anywhere.
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

    /// Whether an image from `camera` may need the world's tiles, also because those of the archive are out of reach.
    package func mayBeRead(from camera: Camera) -> Bool { isRemote || validator(seenFrom: camera) != nil }
}

extension TileSource {
    /// Whether the style shows only part of the tiles.
    fileprivate var isRestricted: Bool { bounds != nil || minZoom != nil || maxZoom != nil }
}
