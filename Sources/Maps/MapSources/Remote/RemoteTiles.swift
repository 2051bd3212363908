package import Bytes
import Digest
import HTTPMessage
package import MapRender
package import MapStyle
import Origin
import OriginCache
import ResponseCache

/// Tiles at addresses by templates, on other servers: vector tiles or pictures.
///
/// `{s}` is the same for a tile each time, and `{ratio}` is `@2x` for sharp pictures. An answer 404 is a tile that is not there, 204 one that shows nothing. Any number of threads may ask.
package struct RemoteTiles: SourceArchive {
    private let settings: RemoteTilesSettings
    private let templates: TileTemplates
    private let fields: Fields
    private let access: RemoteAccess
    private let area: TileBounds
    private let identity: String

    /// - Throws: ``SourceProblem`` where a template leads to no address that may be fetched.
    package init(_ settings: RemoteTilesSettings, access: RemoteAccess) throws(SourceProblem) {
        let subdomains = settings.subdomains.isEmpty ? ["a", "b", "c"] : settings.subdomains
        let templates = TileTemplates(settings.templates, isTMS: settings.isTMS, subdomains: subdomains)
        guard !settings.templates.isEmpty else {
            throw SourceProblem(name: settings.label, cause: "it has no URL template")
        }
        for address in settings.templates {
            let first = TileTemplates([address], isTMS: settings.isTMS, subdomains: subdomains)
            do throws(OriginURLFault) {
                _ = try OriginURL(first.address(of: TileCoordinate(z: 0, x: 0, y: 0), ratio: 1))
            } catch {
                throw SourceProblem(
                    name: settings.label, cause: "a URL template gives an invalid URL (\(error))")
            }
        }
        self.init(settings, templates, access)
    }

    /// Tiles that a style or a TileJSON document names; nil where these are on no server.
    package init?(_ templates: TileTemplates, access: RemoteAccess) {
        let urls = templates.addresses.compactMap { address in
            try? OriginURL(TileTemplates([address]).address(of: TileCoordinate(z: 0, x: 0, y: 0), ratio: 1))
        }
        guard let first = urls.first, urls.count == templates.addresses.count else { return nil }
        var settings = RemoteTilesSettings(
            label: "tiles of \(first.origin)", kind: .vector, templates: templates.addresses)
        // The style says which levels there are.
        settings.maxZoom = 30
        self.init(settings, templates, access)
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

    // MARK: TileArchive

    /// What the configuration says, and the number of the day, or of whatever ``RemoteAccess/Rules/refresh`` is: nobody can ask
    /// after every tile that a picture would show before it is made.
    package var validator: String {
        "\(identity) \(access.epoch)"
    }

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
            do throws(ResourceError) {
                results[id] = .success(try access.content(of: found, name(of: id)))
            } catch {
                results[id] = .failure(error)
            }
        }
        return results
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
            do throws(OriginURLFault) {
                let url = try OriginURL(templates.address(of: id, ratio: ratio))
                let item = OriginItem.map(url, settings.fields)
                if urls.updateValue(url, forKey: item.key) == nil { items.append(item) }
                keys[id] = item.key
            } catch {
                found[id] = .failed(.unusable("its URL is invalid"))
            }
        }
        let outcomes = access.cache.obtain(items, shouldStop: shouldStop) { assignments in
            assignments.compactMap { assignment in
                urls[assignment.item.key].map { access.whole(assignment, $0, fields) }
            }
        }
        for (id, key) in keys { found[id] = outcomes[key] ?? .failed(.cancelled) }
        return found
    }

    private func name(of id: TileCoordinate) -> String { "\(settings.label) \(id.z)/\(id.x)/\(id.y)" }

    // MARK: SourceArchive

    package func details() -> SourceDetails {
        SourceDetails(
            format: format, zooms: zooms, attribution: attribution, bounds: bounds, tileSize: settings.tileSize)
    }

    package func storedTile(_ id: TileCoordinate) throws(ResourceError) -> StoredTile? {
        let outcome = outcomes([id], ratio: 1, { false })[id]
        if settings.kind == .vector, case .found(let answer)? = outcome, let bytes = answer.bytes {
            return StoredTile(content: bytes, encoding: TileEncoding(of: bytes))
        }
        return try access.content(of: outcome, name(of: id)).map { StoredTile(content: $0, encoding: .identity) }
    }

    /// What the templates end in; nobody is asked.
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
