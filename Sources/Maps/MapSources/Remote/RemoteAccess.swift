package import Bytes
import Digest
package import HTTPMessage
package import MapRender
import Origin
package import OriginCache
import Reactor
import ResponseCache
import Tiles

/// What maps use of other servers: tiles, parts of archives, styles, sprites, glyphs and documents. Any number of threads may
/// ask; calls wait for the network, but no longer than ``OriginRules/patience``, and not when the origin has just failed.
package final class RemoteAccess: RemoteSources {
    /// What goes beyond the rules of the cache. Times are in seconds.
    package struct Rules: Sendable, Equatable {
        /// The most bytes of one tile, document, sprite or range of glyphs, as it comes and decompressed.
        package var byteLimit = 32 << 20
        /// How soon, and how late at most, an archive is asked whether it has changed.
        package var checks = 60...86_400
        /// When an archive is asked that says nothing of its freshness.
        package var check = 300
        /// How often the validators change of tiles by templates, and of styles that name addresses of other servers
        /// themselves; with them the tags of all maps of these.
        package var refresh = 86_400
        /// The largest archive that is taken whole from an origin that knows no ranges.
        package var wholeArchiveByteCount = 32 << 20
        /// Parts of an archive with no more bytes between them are asked for together.
        package var gap = 64 << 10
        /// The most bytes that are asked for together, but for a single tile.
        package var partByteCount = 4 << 20

        package init() {}
    }

    let rules: Rules
    package let cache: OriginCache

    package init(_ cache: OriginCache, rules: Rules = Rules()) {
        self.cache = cache
        self.rules = rules
    }

    /// The bytes at an `http` or `https` address, decompressed; nil where there is nothing. An error names the origin alone:
    /// keys stand in paths and queries.
    package func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        let url: OriginURL
        do throws(OriginURLFault) {
            url = try OriginURL(address)
        } catch {
            throw .failed("\(MapFault.place(of: address).prefix(100)): no address that may be fetched (\(error))")
        }
        let item = OriginItem.map(url)
        let outcome = cache.obtain([item]) { $0.map { whole($0, url) } }[item.key]
        return try content(of: outcome, "\(url.origin)")
    }

    /// What an outcome is for a map; `name` says of what.
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

    /// A request for everything at an address.
    func whole(_ assignment: Assignment, _ url: OriginURL, _ fields: Fields = Fields()) -> PlannedFetch {
        var request = FetchRequest(url, byteLimit: rules.byteLimit)
        request.takesGzip = true
        request.originFields = fields
        return PlannedFetch([assignment], request)
    }

    package func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive {
        do throws(OriginURLFault) {
            let url = try OriginURL(settings.address)
            return RemotePMTiles(url, name: settings.label, fields: settings.fields, access: self)
        } catch {
            throw SourceProblem(name: settings.label, cause: "its URL is invalid (\(error))")
        }
    }

    package func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive {
        try RemoteTiles(settings, access: self)
    }

    /// The number of the day, or of whatever ``Rules/refresh`` is.
    package var epoch: String { "\(cache.clock.unixSeconds() / Int64(max(1, rules.refresh)))" }

    package func archive(of templates: TileTemplates) -> (any TileArchive)? {
        RemoteTiles(templates, access: self)
    }
}

extension OriginRules {
    /// The rules for what maps use of other servers. `fields`: what every request has besides its own, such as `Via`.
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
    /// What is at an address, asked for with these fields; `part`: what of it, if not everything.
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
    /// The fields of a source; what is no name of a field is left out.
    init(_ fields: [RemoteField]) {
        self.init()
        for field in fields {
            if let name = FieldName(field.name) { append(name, field.value) }
        }
    }
}
