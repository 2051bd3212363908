package import Bytes
import Digest
package import HTTPMessage
package import MapRender
import Origin
package import OriginCache
import Reactor
import ResponseCache
import Tiles

/// Fetches what maps use of other servers. Shared by threads; calls wait for the network, at most
/// ``OriginRules/patience``, and not at all if the origin has just failed.
package final class RemoteAccess: RemoteSources {
    /// Rules beyond those of the cache. Times are in seconds.
    package struct Rules: Sendable, Equatable {
        /// The most bytes of one tile, document, sprite or range of glyphs, compressed and decompressed.
        package var byteLimit = 32 << 20
        /// The shortest and longest time between two checks whether an archive has changed.
        package var checks = 60...86_400
        /// The time between checks of an archive that gives no freshness.
        package var check = 300
        /// How often the validators of tiles by templates, and of styles that name addresses of other servers, change.
        package var refresh = 86_400
        /// The largest archive that is fetched whole from an origin that does not support ranges.
        package var wholeArchiveByteCount = 32 << 20
        /// Parts of an archive with at most this many bytes between them are fetched together.
        package var gap = 64 << 10
        /// The most bytes that are fetched together, unless a single tile is larger.
        package var partByteCount = 4 << 20

        package init() {}
    }

    let rules: Rules
    package let cache: OriginCache

    package init(_ cache: OriginCache, rules: Rules = Rules()) {
        self.cache = cache
        self.rules = rules
    }

    /// Decompressed; nil when there is nothing. Errors contain only the origin: paths and queries may contain keys.
    package func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        let url = try Result { () throws(OriginURLFault) in try OriginURL(address) }.mapError { error in
            ResourceError.failed(
                "\(MapFault.place(of: address).prefix(100)): no address that may be fetched (\(error))")
        }.get()
        let item = OriginItem.map(url)
        // Nothing is asked for where nobody waits any more.
        if shouldStop() { return try content(of: held(item), "\(url.origin)") }
        let outcomes = cache.obtain([item], shouldStop: shouldStop) { $0.map { whole($0, url) } }
        return try content(of: outcomes[item.key], "\(url.origin)")
    }

    /// What is in memory; nil for anything else.
    private func held(_ item: OriginItem) -> FetchOutcome? {
        let outcome = cache.current(item)
        if case .failed = outcome { return nil }
        return outcome
    }

    /// The decompressed content of an outcome; `name` is for errors.
    func content(of outcome: FetchOutcome?, _ name: String) throws(ResourceError) -> SharedBytes? {
        switch outcome {
        case .found(let answer)?:
            do throws(TileError) {
                return try VectorTile.decompressed(answer.bytes ?? SharedBytes([]), limit: rules.byteLimit)
            } catch {
                throw .failed("\(name): it cannot be decompressed, or has more than \(rules.byteLimit) bytes")
            }
        case .absent?: return nil
        case .failed(let failure)?: throw failure.resourceError(name)
        case nil: throw .cancelled
        }
    }

    func whole(
        _ assignment: Assignment, _ url: OriginURL, _ fields: Fields = Fields(), byteLimit: Int = .max
    ) -> PlannedFetch {
        var request = FetchRequest(url, byteLimit: min(byteLimit, rules.byteLimit))
        request.takesGzip = true
        request.originFields = fields
        return PlannedFetch([assignment], request)
    }

    package func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive {
        let url = try Result { () throws(OriginURLFault) in try OriginURL(settings.address) }
            .mapError { error in SourceProblem(name: settings.label, cause: "its URL is invalid (\(error))") }.get()
        return RemotePMTiles(url, name: settings.label, fields: settings.fields, access: self)
    }

    package func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive {
        try RemoteTiles(settings, access: self)
    }

    /// The number of the day, or of another period of ``Rules/refresh``.
    package var epoch: String { "\(cache.clock.unixSeconds() / Int64(max(1, rules.refresh)))" }
    package func archive(of templates: TileTemplates) -> (any TileArchive)? { RemoteTiles(templates, access: self) }
}

extension OriginRules {
    /// `fields` go with every request, such as `Via`.
    package static func maps(_ fields: Fields = Fields()) -> OriginRules {
        var rules = OriginRules(.memory)
        rules.fields = fields
        rules.lifetime = 3_600
        rules.lifetimes = 10...604_800
        rules.absence = 300
        rules.grace = 30
        rules.allowsNoContent = true
        rules.requestsPerOrigin = 6
        rules.backOff = .seconds(5)
        return rules
    }
}

extension OriginItem {
    /// The content of an address, requested with these fields; `part` names a part of it.
    static func map(
        _ url: OriginURL, _ fields: [RemoteField] = [], part: String = "", isPersistent: Bool = true
    ) -> OriginItem {
        var hash = SHA256()
        for text in ["map", url.description, part] { hash.update(field: text) }
        for field in fields { for text in [field.name, field.value] { hash.update(field: text) } }
        return OriginItem(
            key: CacheKey(hash.digest()), origin: url.origin, tag: CacheTag(assetID: url.description),
            isPersistent: isPersistent)
    }
}

extension Fields {
    init(_ fields: [RemoteField]) {
        self.init()
        for field in fields { if let name = FieldName(field.name) { append(name, field.value) } }
    }
}
