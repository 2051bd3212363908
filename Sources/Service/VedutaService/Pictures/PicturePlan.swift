import Bytes
import Digest
import HTTPMessage
import HTTPServer
import ImagePlan
import ResponseCache

/// One picture as an HTTP resource: all but its sources' state that decides its bytes, and how to make them.
final class PicturePlan: Sendable {
    /// Looks at the sources, without reading them. Quick enough for the loop's thread.
    typealias Look = @Sendable () throws(Problem) -> SourceValidator
    /// Makes the picture on a worker; polls `shouldStop` of the job, and asks it when the cost is known.
    typealias Render = @Sendable (_ job: RenderJob) throws(Problem) -> RenderedPicture

    /// Which route it belongs to.
    let route: Endpoint
    /// The canonical form of the request, with what the fields of the request filled in.
    let canonical: String
    /// The canonical form of the query alone: what all variants have in common.
    let resource: String
    /// What the fields of the request have a say in beside that, in a normal form: the format, or the formats to choose from.
    let variant: String
    /// What `Vary` names; empty where no field had a say.
    let vary: String
    /// What the configuration has a say in, as text.
    let causes: String
    /// What types the content may be of.
    let mediaTypes: [String]
    /// What the policy says of it.
    let kind: PictureKind
    /// The group with which it is purged.
    let tag: CacheTag
    /// The groups of what else it is made of, with which it is purged too.
    private let overlayTags: [CacheTag]
    /// The same of the picture that is shown where the one asked for is missing.
    private let fallbackTags: [CacheTag]
    let currentValidator: Look
    let render: Render
    /// What has to be had before its sources can be looked at; nil: nothing ever.
    let preparation: PicturePreparation?
    /// Whether it is for clients that take gzip, or for those that do not; nil: that has no say.
    let takesGzip: Bool?
    /// Whether what the memo of a loop looks at says all that the plan was made of; not what a client prefers of colors.
    var isKnownByMemo: Bool { !vary.contains(VariedFields.colorScheme.text) }
    /// What is known of its source.
    let watch = SourceWatch()

    init(
        route: Endpoint, canonical: String, resource: String? = nil, variant: String, vary: String, causes: String = "",
        mediaTypes: [String] = PicturePlan.pictureTypes, kind: PictureKind, tag: CacheTag,
        overlayIDs: [String] = [], fallbackID: String? = nil, preparation: PicturePreparation? = nil,
        takesGzip: Bool? = nil, currentValidator: @escaping Look, render: @escaping Render
    ) {
        // A picture that is laid over itself has one group.
        var tags: [CacheTag] = []
        func add(_ id: String?) {
            guard let other = id.map(CacheTag.init(assetID:)), other != tag, !tags.contains(other) else { return }
            tags.append(other)
        }
        overlayIDs.forEach(add)
        overlayTags = tags
        add(fallbackID)
        fallbackTags = tags
        self.route = route
        self.kind = kind
        self.tag = tag
        self.canonical = canonical
        self.resource = resource ?? canonical
        self.variant = variant
        self.vary = vary
        self.causes = causes
        self.mediaTypes = mediaTypes
        self.preparation = preparation
        self.takesGzip = takesGzip
        self.currentValidator = currentValidator
        self.render = render
    }

    /// The groups beside its own with which the picture of `identity` is purged: those of all that it is made of.
    func furtherTags(of identity: PictureIdentity) -> [CacheTag] { identity.isFallback ? fallbackTags : overlayTags }

    /// Whether the picture of `identity`, or what it is made of, was purged since `epoch`.
    func isPurged(_ identity: PictureIdentity, since epoch: PurgeEpoch, by ledger: PurgeLedger) -> Bool {
        ledger.isPurged(tag, identity.key, since: epoch) || ledger.isPurged(furtherTags(of: identity), since: epoch)
    }

    /// The types of all pictures that are made.
    static let pictureTypes = OutputFormat.allCases.map(\.mediaType)

    /// Bumped when the same request and source give other bytes: code that draws, decodes or encodes has changed.
    static let pipelineVersion = "5"

    /// What the picture is known by while its sources are in the state that `validator` names; the same on every replica and
    /// after a restart.
    func digest(with validator: SourceValidator) -> Digest256 {
        var hash = PictureCauses.hash
        for field in [route.label, causes, validator.text, canonical, variant] { hash.update(field: field) }
        return hash.digest()
    }

    /// Names the plan whatever its sources are like.
    var name: CacheKey {
        var hash = SHA256()
        for field in [route.label, canonical, variant, vary] { hash.update(field: field) }
        return CacheKey(hash.digest())
    }

    /// Names what all variants are variants of.
    var resourceName: CacheKey {
        var hash = SHA256()
        for field in [route.label, resource] { hash.update(field: field) }
        return CacheKey(hash.digest())
    }

    /// The identity while its sources are as `validator` says, with the field lines that all answers for it have: 304 sends
    /// these alone, and those of the policy.
    func identity(with validator: SourceValidator) -> PictureIdentity {
        PictureIdentity(validator: validator, digest: digest(with: validator)) { tag, validator in
            var fields = FieldLines()
            if let tag { fields.append(.entityTag, tag) }
            if let lastModified = validator.lastModified { fields.append(.lastModified, date: lastModified) }
            if !vary.isEmpty { fields.append(.vary, vary) }
            return fields
        }
    }
}
