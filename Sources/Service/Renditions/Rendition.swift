package import Digest
package import ResponseCache

/// The endpoint of a rendition: its place in the table of endpoints, and its name in metrics and cache keys.
package struct RenditionRoute: Sendable {
    package let index: Int
    package let label: String

    package init(_ index: Int, _ label: String) {
        self.index = index
        self.label = label
    }
}

/// Decides which policy holds for a rendition, and how its groups are called.
package struct RenditionKind: Equatable, Sendable {
    package let index: Int
    /// Precedes the groups in `Cache-Tag`.
    let tagPrefix: String

    package init(_ index: Int, tagPrefix: String) {
        self.index = index
        self.tagPrefix = tagPrefix
    }
}

/// One answer that is made of sources and kept: an image, a map, a tile, or a description. It holds everything that
/// decides its bytes but the state of its sources, and how to make them.
package final class Rendition: Sendable {
    package let route: RenditionRoute
    package let kind: RenditionKind
    /// Of the request, with what its fields filled in.
    package let canonical: String
    /// What else tells answers apart, in a normal form: the format, or the formats to choose from, and behind a space more,
    /// such as the digest of a template.
    package let variant: String
    /// The value of `Vary`; may be empty.
    package let vary: String
    /// The group that it is purged with.
    package let tag: CacheTag
    /// Whether it is for clients that take gzip; nil where that decides nothing.
    package let takesGzip: Bool?
    package let source: any RenditionSource
    package let renderer: any RenditionRenderer
    /// The least that making it takes, as far as the request alone tells: where that is too much, no source is fetched.
    let leastWork: NeededWork?
    package let record = SourceRecord()
    let mediaTypes: [String]
    private let keyed: Keyed

    /// What else its keys are made of.
    private struct Keyed: Sendable {
        let fingerprint: RenditionFingerprint
        let causes: String
        let resource: String
        let overlayTags, fallbackTags: [CacheTag]
    }

    /// - Parameters:
    ///   - source, renderer: what tells the state of its sources, and what reads them and makes it.
    ///   - fingerprint, causes: what else decides the bytes: of all renditions, and under this configuration.
    ///   - resource: the canonical form of the query alone, which all variants share; nil: `canonical`.
    ///   - overlayIDs: what else it is made of, and purged with.
    ///   - fallbackID: what is shown where the image asked for is missing.
    package init(
        _ route: RenditionRoute, _ kind: RenditionKind, _ source: any RenditionSource,
        renderer: any RenditionRenderer, fingerprint: RenditionFingerprint, causes: String = "", canonical: String,
        resource: String? = nil,
        variant: String, vary: String, mediaTypes: [String],
        tag: CacheTag, overlayIDs: [String] = [], fallbackID: String? = nil, takesGzip: Bool? = nil,
        leastWork: NeededWork? = nil
    ) {
        // An image that is laid over itself has one group.
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
        self.renderer = renderer
        self.tag = tag
        self.canonical = canonical
        self.variant = variant
        self.vary = vary
        self.mediaTypes = mediaTypes
        self.takesGzip = takesGzip
        self.leastWork = leastWork
    }

    /// What it takes in memory, about: its texts, and what its source and its renderer have read from the request. An encoded
    /// place of a line takes sixteen bytes and two or more of the text.
    var heldByteCount: Int { 1024 + 12 * canonical.utf8.count + renderer.heldByteCount }

    /// The other groups that the rendition of `identity` is purged with: those of everything it is made of.
    package func furtherTags(of identity: RenditionIdentity) -> [CacheTag] {
        identity.isFallback ? keyed.fallbackTags : keyed.overlayTags
    }

    /// Whether the rendition, or something it is made of, was purged since `epoch`.
    package func isPurged(_ identity: RenditionIdentity, since epoch: PurgeEpoch, by ledger: PurgeLedger) -> Bool {
        ledger.isPurged(tag, identity.key, since: epoch) || ledger.isPurged(furtherTags(of: identity), since: epoch)
    }

    /// The same of everything that it may be made of. Quick while nothing is purged.
    func isPurged(since epoch: PurgeEpoch, by ledger: PurgeLedger) -> Bool {
        guard ledger.epoch != epoch else { return false }
        return ledger.isPurged(tag, name, since: epoch) || ledger.isPurged(keyed.fallbackTags, since: epoch)
    }

    /// What caches in front can purge it with.
    func cacheGroups(of identity: RenditionIdentity) -> [String] {
        ["veduta"] + ([tag] + furtherTags(of: identity)).map { "\(kind.tagPrefix)-\($0.hex)" }
    }

    /// Names it while its sources are in this state; the same on every replica and after a restart.
    package func digest(with validator: SourceValidator) -> Digest256 {
        keyed.fingerprint.digest(with: [route.label, keyed.causes, validator.text, canonical, variant])
    }

    package func identity(with validator: SourceValidator) -> RenditionIdentity {
        RenditionIdentity(validator, digest: digest(with: validator), vary: vary)
    }

    /// Names it in any state of its sources.
    package var name: CacheKey { Self.key([route.label, canonical, variant, vary]) }

    /// The same for all its variants.
    package var resourceName: CacheKey { Self.key([route.label, keyed.resource]) }

    private static func key(_ fields: [String]) -> CacheKey {
        var hash = SHA256()
        for field in fields { hash.update(field: field) }
        return CacheKey(hash.digest())
    }
}
