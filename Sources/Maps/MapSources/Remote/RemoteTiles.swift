package import Bytes
import Digest
import HTTPMessage
package import MapRender
package import MapStyle
import OriginCache
import ResponseCache
import Tiles

/// Tiles on other servers, by templates of their addresses. A tile always has the same `{s}`; `{ratio}` is `@2x` for
/// sharp images. A 404 means that there is no tile, a 204 that it is empty. Shared by threads.
package struct RemoteTiles: SourceArchive {
    private let settings: RemoteTilesSettings
    private let templates: TileTemplates
    private let fields: Fields
    private let access: RemoteAccess
    private let area: TileBounds
    private let identity: String

    /// - Throws: ``SourceProblem`` if a template gives an address that may not be fetched.
    package init(_ settings: RemoteTilesSettings, access: RemoteAccess) throws(SourceProblem) {
        let subdomains = settings.subdomains.isEmpty ? ["a", "b", "c"] : settings.subdomains
        let templates = TileTemplates(settings.templates, isTMS: settings.isTMS, subdomains: subdomains)
        guard !settings.templates.isEmpty else {
            throw SourceProblem(name: settings.label, cause: "it has no URL template")
        }
        for address in settings.templates {
            do throws(OriginURLFault) {
                _ = try Self.firstURL(TileTemplates([address], isTMS: settings.isTMS, subdomains: subdomains))
            } catch {
                throw SourceProblem(name: settings.label, cause: "a URL template gives an invalid URL (\(error))")
            }
        }
        self.init(settings, templates, access)
    }

    /// Tiles that a style or a TileJSON document names; nil if they are not on a server.
    package init?(_ templates: TileTemplates, access: RemoteAccess) {
        let urls = templates.addresses.compactMap { try? Self.firstURL(TileTemplates([$0])) }
        guard let first = urls.first, urls.count == templates.addresses.count else { return nil }
        // The style limits the levels.
        let settings = RemoteTilesSettings(
            label: "tiles of \(first.origin)", kind: .vector, templates: templates.addresses, maxZoom: 30)
        self.init(settings, templates, access)
    }

    private static func firstURL(_ templates: TileTemplates) throws(OriginURLFault) -> OriginURL {
        try OriginURL(templates.address(of: TileCoordinate(z: 0, x: 0, y: 0), ratio: 1))
    }

    private init(_ settings: RemoteTilesSettings, _ templates: TileTemplates, _ access: RemoteAccess) {
        self.settings = settings
        self.templates = templates
        self.access = access
        fields = Fields(settings.fields)
        area = TileBounds(settings.bounds)
        var hash = SHA256()
        for text in templates.addresses + templates.subdomains + ["\(templates.isTMS)"] { hash.update(field: text) }
        identity = hash.digest().base64URL(byteCount: 12)
    }

    /// The settings and ``RemoteAccess/epoch``: nobody can ask for the state of each tile before an image is made.
    package var validator: String { "\(identity) \(access.epoch)" }

    package var zooms: ClosedRange<Int> {
        let least = min(max(settings.minZoom ?? 0, 0), 30)
        return least...min(max(settings.maxZoom ?? 22, least), 30)
    }

    package var bounds: [Double]? { settings.bounds }
    package var attribution: String? { settings.attribution }
    package var tileSize: Double? { settings.tileSize.map(Double.init) }
    /// A tile may change before the validator does.
    package var hasFixedTiles: Bool { false }

    package func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        try tiles([id], ratio: 1, shouldStop: { false })[id]?.get() ?? nil
    }

    package func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        var results: [TileCoordinate: Result<SharedBytes?, ResourceError>] = [:]
        for (id, found) in outcomes(ids, ratio: ratio, shouldStop) {
            results[id] = Result { () throws(ResourceError) in try access.content(of: found, name(of: id)) }
        }
        return results
    }

    package func packedTiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        var results: [TileCoordinate: Result<SharedBytes?, ResourceError>] = [:]
        for (id, found) in outcomes(ids, ratio: ratio, shouldStop) {
            results[id] = Result { () throws(ResourceError) in try packed(found, id) }
        }
        return results
    }

    private func packed(_ outcome: FetchOutcome, _ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        switch outcome {
        case .found(let answer): return answer.bytes ?? SharedBytes([])
        case .absent: return nil
        case .failed(let failure): throw failure.resourceError(name(of: id))
        }
    }

    private func outcomes(
        _ ids: [TileCoordinate], ratio: Double, _ shouldStop: () -> Bool
    ) -> [TileCoordinate: FetchOutcome] {
        var found: [TileCoordinate: FetchOutcome] = [:]
        var keys: [TileCoordinate: CacheKey] = [:]
        var urls: [CacheKey: OriginURL] = [:]
        // Each once, in the order in which they are wanted.
        var items: [OriginItem] = []
        for id in ids {
            guard zooms.contains(id.z), area.contains(id) else {
                found[id] = .absent
                continue
            }
            guard let url = try? OriginURL(templates.address(of: id, ratio: ratio)) else {
                found[id] = .failed(.unusable("its URL is invalid"))
                continue
            }
            let item = OriginItem.map(url, settings.fields)
            if urls.updateValue(url, forKey: item.key) == nil { items.append(item) }
            keys[id] = item.key
        }
        let outcomes = access.cache.obtain(items, shouldStop: shouldStop) { assignments in
            assignments.compactMap { assignment in
                urls[assignment.item.key].map {
                    access.whole(assignment, $0, fields, byteLimit: PMTilesArchive.tileByteLimit)
                }
            }
        }
        for (id, key) in keys { found[id] = outcomes[key] ?? .failed(.cancelled) }
        return found
    }

    private func name(of id: TileCoordinate) -> String { "\(settings.label) \(id.text)" }

    package func details() -> SourceDetails {
        SourceDetails(
            format: format, zooms: zooms, attribution: attribution, bounds: bounds, tileSize: settings.tileSize)
    }

    package func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile? {
        let outcome = outcomes([id], ratio: 1, shouldStop)[id]
        if settings.kind == .vector, case .found(let answer)? = outcome, let bytes = answer.bytes {
            return StoredTile(content: bytes, encoding: TileEncoding(of: bytes))
        }
        return try access.content(of: outcome, name(of: id)).map { StoredTile(content: $0, encoding: .identity) }
    }

    /// By the ending of the templates; no server is asked.
    private var format: TileFormat {
        if settings.kind == .vector { return .vector }
        let path = settings.templates.first?.prefix { $0 != "?" } ?? ""
        switch path.split(separator: ".").last?.lowercased() {
        case "jpg", "jpeg": return .jpeg
        case "webp": return .webp
        case "avif": return .avif
        default: return .png
        }
    }
}
