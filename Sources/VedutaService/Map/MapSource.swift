import Digest
import MapRender
import MapStyle
import Resources
import Tiles

/// What maps are drawn from: the archive, the styles and the engine; the same for the life of the service.
struct MapSource: Sendable {
    /// Draws the maps.
    let engine: MapEngine
    /// What they may look like.
    let styles: MapStyles
    /// Where there is something to see.
    let place: MapPlace

    private let archive: PMTilesArchive
    /// The state of the files that the operator's style may name, and of the fonts of the machine, at the start.
    private let surroundings: String

    /// Opens the archive that `configuration` names, or the built-in world, and reads the styles.
    init(_ configuration: Configuration) throws(ServiceError) {
        let path = configuration.mapArchive
        do throws(TileError) {
            archive =
                if let path { try PMTilesArchive(path: path) } else {
                    try PMTilesArchive(bytes: Resources.worldArchive)
                }
        } catch {
            throw .mapArchive(path: path ?? "built in", cause: StartCause.text(error))
        }
        guard archive.tileType == .vector || archive.tileType == .unknown else {
            throw .mapArchive(
                path: path ?? "built in", cause: StartCause.pictureTiles(archive.tileType))
        }
        styles = try MapStyles(path: configuration.mapStyle)
        let folder = configuration.mapFiles ?? configuration.mapStyle.map(Self.folder(of:))
        var state = SHA256()
        for folder in MapEngine.fontFolders {
            // Machines with the same fonts draw the same; when these were installed has no part in it.
            state.update(field: FolderState.digest(of: folder, hasTimes: false).base64URL())
        }
        if let folder { state.update(field: FolderState.digest(of: folder, hasTimes: true).base64URL()) }
        surroundings = state.digest().base64URL(octetCount: 12)
        engine = MapEngine(resources: MapFiles(folder: folder, archive: PMTilesTiles(archive)))
        place = MapPlace(archive)
    }

    /// Names archive, style and what that may name in keys and tags.
    func validator(_ style: MapStyles.Entry) -> SourceValidator {
        .map("\(archive.validator) \(style.validator) \(surroundings) \(MapEngine.version)")
    }

    /// The closest zoom of the 256-pixel world, at most 14, that the archive still fills with detail at a place (DESIGN §2.3):
    /// where the tiles of its last level with one there have their own size. Reads at most a tile a level.
    func defaultZoom(latitude: Double, longitude: Double) -> Double {
        var level = min(archive.maxZoom, 13)
        while level > archive.minZoom, level > 0 {
            let tile = TileCoordinate(latitude: latitude, longitude: longitude, z: level)
            if let id = TileID(z: level, x: tile.x, y: tile.y), hasTile(id) { break }
            level -= 1
        }
        return Double(max(0, level) + 1)
    }

    /// A tile that cannot be read counts: it was meant to be there.
    private func hasTile(_ id: TileID) -> Bool {
        do throws(TileError) {
            return try archive.tile(id) != nil
        } catch {
            return true
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
