package import Digest
import HTTPServer
package import ResponseCache

/// The resource that a rendition belongs to: its place in the table of endpoints, and its name in metrics and cache keys.
package struct RenditionRoute: Sendable {
    package let index: Int
    package let label: String

    package init(_ index: Int, _ label: String) {
        self.index = index
        self.label = label
    }
}

/// What decides which policy holds for a rendition, and how its groups are called.
package struct RenditionKind: Equatable, Sendable {
    /// The caller's.
    package let index: Int
    /// Stands before the groups in `Cache-Tag`.
    let tagPrefix: String

    package init(_ index: Int, tagPrefix: String) {
        self.index = index
        self.tagPrefix = tagPrefix
    }
}

/// One answer of the service that is made of sources and kept: an image, a map, a tile, or what is known of one. All but the
/// state of its sources that decides its bytes, and how to make them.
package final class Rendition: Sendable {
    package let route: RenditionRoute
    package let kind: RenditionKind
    /// The canonical form of the request, with what the fields of the request filled in.
    package let canonical: String
    /// What the fields of the request decide beside that, in a normal form: the format, or the formats to choose from.
    package let variant: String
    /// What `Vary` names; empty where no field decides anything.
    package let vary: String
    /// The group with which it is purged.
    package let tag: CacheTag
    /// Whether it is for clients that take gzip, or for those that do not; nil: that decides nothing.
    package let takesGzip: Bool?
    package let source: any RenditionSource
    /// What is known of its source.
    package let record = SourceRecord()
    /// The types that its content may be of.
    let mediaTypes: [String]
    private let keyed: Keyed

    /// What its keys are made of beside the above.
    private struct Keyed: Sendable {
        let fingerprint: RenditionFingerprint
        let causes: String
        let resource: String
        let overlayTags, fallbackTags: [CacheTag]
    }

    /// - Parameters:
    ///   - fingerprint, causes: what decides its bytes beside the request: of all renditions, and of those under this
    ///     configuration.
    ///   - resource: the canonical form of the query alone, which all variants have in common; nil: `canonical`.
    ///   - overlayIDs: what else it is made of, with which it is purged too.
    ///   - fallbackID: what is shown where the one asked for is missing.
    package init(
        _ route: RenditionRoute, _ kind: RenditionKind, _ source: any RenditionSource,
        fingerprint: RenditionFingerprint, causes: String = "", canonical: String, resource: String? = nil,
        variant: String, vary: String, mediaTypes: [String],
        tag: CacheTag, overlayIDs: [String] = [], fallbackID: String? = nil, takesGzip: Bool? = nil
    ) {
        // One that is laid over itself has one group.
        var tags: [CacheTag] = []
        func add(_ id: String?) {
            guard let other = id.map(CacheTag.init(assetID:)), other != tag, !tags.contains(other) else { return }
            tags.append(other)
        }
        overlayIDs.forEach(add)
        let overlayTags = tags
        add(fallbackID)
        keyed = Keyed(
            fingerprint: fingerprint, causes: causes, resource: resource ?? canonical, overlayTags: overlayTags,
            fallbackTags: tags)
        self.route = route
        self.kind = kind
        self.source = source
        self.tag = tag
        self.canonical = canonical
        self.variant = variant
        self.vary = vary
        self.mediaTypes = mediaTypes
        self.takesGzip = takesGzip
    }

    // MARK: Groups

    /// The groups beside its own with which the rendition of `identity` is purged: those of all that it is made of.
    package func furtherTags(of identity: RenditionIdentity) -> [CacheTag] {
        identity.isFallback ? keyed.fallbackTags : keyed.overlayTags
    }

    /// Whether the rendition of `state`, or what it is made of, was purged since `epoch`.
    package func isPurged(_ identity: RenditionIdentity, since epoch: PurgeEpoch, by ledger: PurgeLedger) -> Bool {
        ledger.isPurged(tag, identity.key, since: epoch) || ledger.isPurged(furtherTags(of: identity), since: epoch)
    }

    /// The value of `Cache-Tag`.
    func cacheTags(of identity: RenditionIdentity) -> String {
        "veduta" + ([tag] + furtherTags(of: identity)).map { ",\(kind.tagPrefix)-\($0.hex)" }.joined()
    }

    // MARK: Names

    /// What it is known by while its sources are in the state that `validator` names; the same on every replica and after a
    /// restart.
    package func digest(with validator: SourceValidator) -> Digest256 {
        keyed.fingerprint.digest(with: [route.label, keyed.causes, validator.text, canonical, variant])
    }

    package func identity(with validator: SourceValidator) -> RenditionIdentity {
        RenditionIdentity(validator, digest: digest(with: validator), vary: vary)
    }

    /// Names it whatever its sources are like.
    package var name: CacheKey { Self.key([route.label, canonical, variant, vary]) }

    /// Names what all variants are variants of.
    package var resourceName: CacheKey { Self.key([route.label, keyed.resource]) }

    private static func key(_ fields: [String]) -> CacheKey {
        var hash = SHA256()
        for field in fields { hash.update(field: field) }
        return CacheKey(hash.digest())
    }
}
