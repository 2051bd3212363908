import Bytes
import Digest
import MapRender
import MapStyle

/// An archive with what the configuration says about it, above all how missing tiles are treated.
struct NamedArchive: SourceArchive {
    let base: any SourceArchive
    let settings: SourceSettings
    private let missing: MissingTilePolicy
    private let kind: SourceKind
    /// A digest of the settings that images show.
    private let settingsDigest: String

    init(_ base: any SourceArchive, _ settings: SourceSettings, kind: SourceKind) {
        self.base = base
        self.settings = settings
        self.kind = kind
        missing = settings.missing ?? (kind == .vector ? .empty : .overzoom)
        let levels = [settings.minZoom, settings.maxZoom, settings.tileSize].map { $0.map(String.init) }
        var hash = SHA256()
        for text in [settings.attribution, settings.bounds.map { "\($0)" }] + levels {
            hash.update(field: text == nil ? "" : "stated")
            hash.update(field: text ?? "")
        }
        settingsDigest = hash.digest().base64URL(byteCount: 9)
    }

    /// Includes the policy for missing tiles, since decoded tiles are cached under it, and the overriding settings.
    var validator: String { "\(base.validator) \(missing.rawValue) \(settingsDigest)" }

    var zooms: ClosedRange<Int> {
        let least = settings.minZoom ?? base.zooms.lowerBound
        return least...max(least, settings.maxZoom ?? base.zooms.upperBound)
    }

    var bounds: [Double]? { settings.bounds ?? base.bounds }
    var attribution: String? { settings.attribution ?? base.attribution }
    var tileSize: Double? { settings.tileSize.map(Double.init) ?? base.tileSize }
    var hasFixedTiles: Bool { base.hasFixedTiles }
    func open(shouldStop: () -> Bool) throws(ResourceError) { try base.open(shouldStop: shouldStop) }

    func details() throws(ResourceError) -> SourceDetails { try details(shouldStop: { false }) }

    func details(shouldStop: () -> Bool) throws(ResourceError) -> SourceDetails {
        var details = try base.details(shouldStop: shouldStop)
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
        replacing(base.tiles(ids, ratio: ratio, shouldStop: shouldStop))
    }

    func packedTiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        replacing(base.packedTiles(ids, ratio: ratio, shouldStop: shouldStop))
    }

    private func replacing(
        _ tiles: [TileCoordinate: Result<SharedBytes?, ResourceError>]
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        var found = tiles
        for (id, result) in found {
            guard case .success(nil) = result else { continue }
            found[id] = Result { () throws(ResourceError) in try replacement(of: id) }
        }
        return found
    }

    /// What stands in for a missing tile.
    private func replacement(of id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        switch missing {
        case .overzoom: return nil
        // Nothing ever stands in for vector tiles; an image of no bytes says that nothing may here.
        case .empty: return kind == .vector ? nil : SharedBytes([])
        case .error: throw .failed("there is no tile \(id.z)/\(id.x)/\(id.y)")
        }
    }

    func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile? {
        try base.storedTile(id, shouldStop: shouldStop)
    }
}
