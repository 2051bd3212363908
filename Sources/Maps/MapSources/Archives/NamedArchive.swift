import Bytes
import Digest
import MapRender
import MapStyle

/// An archive as a source of the configuration: with what that says of it, and its way with missing tiles.
struct NamedArchive: SourceArchive {
    let base: any SourceArchive
    let settings: SourceSettings
    /// What missing tiles are.
    private let missing: MissingTilePolicy
    private let kind: SourceKind
    /// A digest of what the configuration says and pictures show.
    private let stated: String

    init(_ base: any SourceArchive, _ settings: SourceSettings, kind: SourceKind) {
        self.base = base
        self.settings = settings
        self.kind = kind
        missing = settings.missing ?? (kind == .vector ? .empty : .overzoom)
        stated = Self.digest(settings)
    }

    private static func digest(_ settings: SourceSettings) -> String {
        let levels = [settings.minZoom, settings.maxZoom, settings.tileSize].map { $0.map(String.init) }
        var hash = SHA256()
        for text in [settings.attribution, settings.bounds.map { "\($0)" }] + levels {
            hash.update(field: text == nil ? "" : "stated")
            hash.update(field: text ?? "")
        }
        return hash.digest().base64URL(byteCount: 9)
    }

    /// The way with missing tiles is part of it: what is decoded of one is kept under it. So is what the configuration says
    /// instead of the archive: pictures with other bounds or another attribution are others.
    var validator: String { "\(base.validator) \(missing.rawValue) \(stated)" }

    var zooms: ClosedRange<Int> {
        let found = base.zooms
        let least = settings.minZoom ?? found.lowerBound
        return least...max(least, settings.maxZoom ?? found.upperBound)
    }

    var bounds: [Double]? { settings.bounds ?? base.bounds }
    var attribution: String? { settings.attribution ?? base.attribution }

    var tileSize: Double? { settings.tileSize.map(Double.init) ?? base.tileSize }
    var hasFixedTiles: Bool { base.hasFixedTiles }

    func open(shouldStop: () -> Bool) throws(ResourceError) { try base.open(shouldStop: shouldStop) }

    func details() throws(ResourceError) -> SourceDetails {
        var details = try base.details()
        details.title = settings.title ?? details.title
        details.description = settings.description ?? details.description
        details.attribution = attribution
        details.bounds = bounds
        details.zooms = zooms
        details.tileSize = settings.tileSize ?? details.tileSize ?? base.tileSize.map { Int(max(1, min(4096, $0))) }
        return details
    }

    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        if let found = try base.tile(id) { return found }
        return try replacement(of: id)
    }

    func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        var found = base.tiles(ids, ratio: ratio, shouldStop: shouldStop)
        for (id, result) in found {
            guard case .success(nil) = result else { continue }
            do throws(ResourceError) {
                found[id] = .success(try replacement(of: id))
            } catch {
                found[id] = .failure(error)
            }
        }
        return found
    }

    /// What a missing tile is.
    private func replacement(of id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        switch missing {
        case .overzoom: return nil
        // Nothing stands in for vector tiles anyway; a picture of no bytes says that none may.
        case .empty: return kind == .vector ? nil : SharedBytes([])
        case .error: throw .failed("there is no tile \(id.z)/\(id.x)/\(id.y)")
        }
    }

    func storedTile(_ id: TileCoordinate) throws(ResourceError) -> StoredTile? { try base.storedTile(id) }
}
