import Bytes
import JSON
import MapRender
import MapStyle
import Raster
import Resources
import Tiles

/// Opens sources, and checks that they can be used.
struct SourceOpener {
    let remote: (any RemoteSources)?
    let picture: @Sendable (SharedBytes) -> Texture?

    /// The current state of the files that a source depends on.
    static func marks(_ settings: SourceSettings) -> [FileMark] {
        switch settings.location {
        case .file(let path): [FileMark(path)] + MBTiles.companions(of: path).map { FileMark($0) }
        case .geoJSONFile(let path): [FileMark(path)]
        case .builtIn, .remoteArchive, .templates, .remoteGeoJSON: []
        }
    }

    func open(_ settings: SourceSettings) throws(SourceProblem) -> SourceState.Content {
        switch settings.location {
        case .builtIn: return .tiles(try entry(settings, try Self.builtInWorld(settings.label)))
        case .file(let path): return .tiles(try entry(settings, try Self.archive(path, label: settings.label)))
        case .remoteArchive(let address):
            let archive = RemoteArchiveSettings(label: settings.label, address: address, fields: settings.fields)
            return .tiles(try entry(settings, try access(settings).archive(archive)))
        case .templates(let templates):
            return .tiles(try entry(settings, try access(settings).tiles(Self.tiles(settings, templates))))
        case .geoJSONFile(let path):
            // Taken before reading: if the file changes meanwhile, the next look sees a difference.
            let state = FileMark(path).text
            return .geoJSON(try Self.geoJSON(path, label: settings.label), state: state)
        case .remoteGeoJSON(let address):
            _ = try access(settings)
            return .remoteGeoJSON(address: address)
        }
    }

    /// The PMTiles or MBTiles archive at `path`, told apart by the first bytes. Checks that it is complete.
    static func archive(_ path: String, label: String) throws(SourceProblem) -> any SourceArchive {
        if MBTiles.isDatabase(path) {
            return try Result { () throws(MBTilesError) in try MBTiles(path: path) }
                .mapError { SourceProblem(name: label, cause: $0.words) }.get()
        }
        do throws(TileError) {
            let archive = try PMTilesArchive(path: path)
            try archive.checkIsWhole()
            return PMTilesSource(archive)
        } catch {
            let hint = error == .notPMTiles ? ", nor like an MBTiles database" : ""
            throw SourceProblem(name: label, cause: error.words + hint)
        }
    }

    static func builtInWorld(_ label: String) throws(SourceProblem) -> any SourceArchive {
        PMTilesSource(try world.mapError { SourceProblem(name: label, cause: $0.words) }.get())
    }

    /// Opened once per process: computing its validator reads all of it.
    private static let world = Result { () throws(TileError) in try PMTilesArchive(bytes: Resources.worldArchive) }

    private func access(_ settings: SourceSettings) throws(SourceProblem) -> any RemoteSources {
        if let remote { return remote }
        let cause = "fetching from other servers is disabled (VEDUTA_REMOTE_ALLOW)"
        throw SourceProblem(name: settings.label, cause: cause)
    }

    private static func tiles(_ settings: SourceSettings, _ templates: [String]) -> RemoteTilesSettings {
        RemoteTilesSettings(
            label: settings.label, kind: settings.kind ?? .raster, templates: templates,
            subdomains: settings.subdomains, isTMS: settings.isTMS, tileSize: settings.tileSize,
            minZoom: settings.minZoom, maxZoom: settings.maxZoom, bounds: settings.bounds,
            attribution: settings.attribution, fields: settings.fields)
    }

    private static func geoJSON(_ path: String, label: String) throws(SourceProblem) -> SharedBytes {
        do throws(SourceProblem) {
            let data = try LocalFile.bytes(at: path)
            if try LocalFile.json(data, name: path)["type"]?.text != nil { return SharedBytes(data) }
        } catch {
            throw SourceProblem(name: label, cause: error.cause)
        }
        throw SourceProblem(name: label, cause: "it is not a GeoJSON object")
    }
}

extension SourceOpener {
    /// Takes the kind and tile size from the archive where the settings do not give them.
    private func entry(_ given: SourceSettings, _ archive: any SourceArchive) throws(SourceProblem) -> MapSourceEntry {
        var settings = given
        let kind: SourceKind
        switch settings.location {
        case .builtIn, .file:
            // The details of a local archive are in memory, so this never fails.
            guard let details = try? archive.details() else {
                throw SourceProblem(name: settings.label, cause: "its metadata cannot be read")
            }
            kind = try Self.kind(settings, details)
            if kind != .vector, settings.tileSize == nil { settings.tileSize = tileSize(archive, details) }
        case .remoteArchive, .templates, .geoJSONFile, .remoteGeoJSON:
            kind = settings.kind ?? .vector
            // The usual size; no server is asked at the start.
            if kind != .vector, case .templates = settings.location { settings.tileSize = settings.tileSize ?? 256 }
        }
        return MapSourceEntry(
            name: settings.name, kind: kind, archive: NamedArchive(archive, settings, kind: kind),
            encoding: kind == .terrain ? settings.encoding ?? .mapbox : nil, knownTileSize: settings.tileSize)
    }

    private static func kind(_ settings: SourceSettings, _ details: SourceDetails) throws(SourceProblem) -> SourceKind {
        guard let stated = settings.kind else { return details.format.isPicture ? .raster : .vector }
        if (stated == .vector) == details.format.isPicture, details.format != .unknown {
            let cause =
                "its settings say \(stated.rawValue), but its tiles have the media type \(details.format.mediaType)"
            throw SourceProblem(name: settings.label, cause: cause)
        }
        return stated
    }

    /// The side of the first tile found at the suggested centre or the middle, from the lowest level up.
    private func tileSize(_ archive: any SourceArchive, _ details: SourceDetails) -> Int? {
        let bounds = details.bounds ?? [-180, -85, 180, 85]
        let middle = GroundBounds(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3]).middle
        let centre = details.centre.map { GroundPlace(longitude: $0.longitude, latitude: $0.latitude) }
        for level in details.zooms {
            for place in [centre ?? middle, middle] {
                let tile = TileCoordinate(latitude: place.latitude, longitude: place.longitude, z: level)
                if let content = try? archive.tile(tile), let found = picture(content) { return found.widthPx }
            }
        }
        return nil
    }
}
