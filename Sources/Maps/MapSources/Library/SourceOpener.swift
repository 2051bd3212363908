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

    /// The files that a source depends on, as they are now.
    static func marks(_ settings: SourceSettings) -> [FileMark] {
        switch settings.place {
        case .file(let path): [FileMark(path)] + MBTiles.companions(of: path).map { FileMark($0) }
        case .geoJSONFile(let path): [FileMark(path)]
        case .builtIn, .remoteArchive, .templates, .remoteGeoJSON: []
        }
    }

    /// What the source gives.
    func open(_ settings: SourceSettings) throws(SourceProblem) -> SourceState.Content {
        switch settings.place {
        case .builtIn: return .tiles(try entry(settings, try Self.builtInWorld(settings.label)))
        case .file(let path): return .tiles(try entry(settings, try Self.archive(path, label: settings.label)))
        case .remoteArchive(let address):
            let archive = RemoteArchiveSettings(label: settings.label, address: address, fields: settings.fields)
            return .tiles(try entry(settings, try access(settings).archive(archive)))
        case .templates(let templates):
            return .tiles(try entry(settings, try access(settings).tiles(Self.tiles(settings, templates))))
        case .geoJSONFile(let path):
            // Looked at first: what is read is of this state or a later one, and then the next look finds it changed.
            let state = FileMark(path).text
            return .geoJSON(try Self.geoJSON(path, label: settings.label), state: state)
        case .remoteGeoJSON(let address):
            _ = try access(settings)
            return .remoteGeoJSON(address: address)
        }
    }

    /// The archive in the file at `path`: PMTiles or MBTiles, by its first bytes. Checks that it is all there.
    static func archive(_ path: String, label: String) throws(SourceProblem) -> any SourceArchive {
        if MBTiles.isDatabase(path) {
            do throws(MBTilesError) {
                return try MBTiles(path: path)
            } catch {
                throw SourceProblem(name: label, cause: error.words)
            }
        }
        do throws(TileError) {
            let archive = try PMTilesArchive(path: path)
            try archive.checkIsWhole()
            return PMTilesSource(archive)
        } catch {
            let hint = error == .notPMTiles ? ", nor like an MBTiles database" : ""
            throw SourceProblem(name: label, cause: TileErrorText.words(error) + hint)
        }
    }

    static func builtInWorld(_ label: String) throws(SourceProblem) -> any SourceArchive {
        do throws(TileError) {
            return PMTilesSource(try world.get())
        } catch {
            throw SourceProblem(name: label, cause: TileErrorText.words(error))
        }
    }

    /// Opened once for the process: its validator takes a walk over all of it.
    private static let world: Result<PMTilesArchive, TileError> = {
        do throws(TileError) { return .success(try PMTilesArchive(bytes: Resources.worldArchive)) } catch {
            return .failure(error)
        }
    }()

    private func access(_ settings: SourceSettings) throws(SourceProblem) -> any RemoteSources {
        guard let remote else {
            throw SourceProblem(
                name: settings.label, cause: "fetching from other servers is disabled (VEDUTA_REMOTE_ALLOW)")
        }
        return remote
    }

    private static func tiles(_ settings: SourceSettings, _ templates: [String]) -> RemoteTilesSettings {
        var tiles = RemoteTilesSettings(label: settings.label, kind: settings.kind ?? .raster, templates: templates)
        tiles.subdomains = settings.subdomains
        tiles.isTMS = settings.isTMS
        tiles.tileSize = settings.tileSize
        tiles.minZoom = settings.minZoom
        tiles.maxZoom = settings.maxZoom
        tiles.bounds = settings.bounds
        tiles.attribution = settings.attribution
        tiles.fields = settings.fields
        return tiles
    }

    private static func geoJSON(_ path: String, label: String) throws(SourceProblem) -> SharedBytes {
        let data: [UInt8]
        do throws(SourceProblem) {
            data = try LocalFile.bytes(at: path)
        } catch {
            throw SourceProblem(name: label, cause: error.cause)
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(data)
        } catch {
            throw SourceProblem(name: label, cause: error.message)
        }
        guard json["type"]?.text != nil else { throw SourceProblem(name: label, cause: "it is not a GeoJSON object") }
        return SharedBytes(data)
    }
}

extension SourceOpener {
    /// The source with its kind and its tile size, which are found out from the archive where nobody says.
    private func entry(
        _ given: SourceSettings, _ archive: any SourceArchive
    ) throws(SourceProblem) -> MapSourceEntry {
        var settings = given
        let kind: SourceKind
        switch settings.place {
        case .builtIn, .file:
            // These never fail to tell; what they say stands in memory.
            guard let details = try? archive.details() else {
                throw SourceProblem(name: settings.label, cause: "its metadata cannot be read")
            }
            kind = try Self.kind(settings, details)
            if kind != .vector, settings.tileSize == nil { settings.tileSize = tileSize(archive, details) }
        case .remoteArchive, .templates, .geoJSONFile, .remoteGeoJSON:
            kind = settings.kind ?? .vector
            // What tiles by addresses have unless somebody says; nobody is asked at the start.
            if kind != .vector, case .templates = settings.place { settings.tileSize = settings.tileSize ?? 256 }
        }
        return MapSourceEntry(
            name: settings.name, kind: kind, archive: NamedArchive(archive, settings, kind: kind),
            encoding: kind == .terrain ? settings.encoding ?? .mapbox : nil, knownTileSize: settings.tileSize)
    }

    private static func kind(_ settings: SourceSettings, _ details: SourceDetails) throws(SourceProblem) -> SourceKind {
        guard let stated = settings.kind else { return details.format.isPicture ? .raster : .vector }
        if (stated == .vector) == details.format.isPicture, details.format != .unknown {
            throw SourceProblem(
                name: settings.label,
                cause:
                    "its settings say \(stated.rawValue), but its tiles have the media type \(details.format.mediaType)"
            )
        }
        return stated
    }

    /// The side of the first tile that there is around the middle, from the first level down.
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
