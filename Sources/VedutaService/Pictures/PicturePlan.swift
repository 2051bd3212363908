import Bytes
import Digest
import HTTPMessage
import HTTPServer
import ImagePlan
import ResponseCache

/// The state of all that a picture is made of: names it in keys and tags, and dates it.
enum SourceValidator: Equatable, Sendable {
    /// An original of the library, and the picture that is laid over it.
    case asset(OriginalState, overlay: OriginalState? = nil)
    /// The picture that is shown because the one asked for cannot be had, and the status that tells so: 404, or that of the
    /// origin's failure.
    case fallback(OriginalState, overlay: OriginalState? = nil, status: Status = .notFound)
    /// The sources of a map and the style it is drawn in, and the pictures of the library that are on it; whether something is
    /// missing that may be there soon.
    case map(String, icons: [OriginalState] = [], isIncomplete: Bool = false)

    /// Text that changes whenever one of the sources does.
    var text: String {
        switch self {
        case .asset(let state, nil): state.validator
        case .asset(let state, let overlay?): "\(state.validator)+\(overlay.validator)"
        case .fallback(let state, let overlay, let status):
            (status == .notFound ? "instead " : "instead of \(status.code) ") + state.validator
                + (overlay.map { "+" + $0.validator } ?? "")
        case .map(let text, let icons, let isIncomplete):
            ([text] + icons.map(\.validator)).joined(separator: "+") + (isIncomplete ? " incomplete" : "")
        }
    }

    /// When the latest of the sources was last changed, in seconds since 1970, if that is known. What is shown instead of
    /// a missing picture has no date: it says nothing of that picture.
    var lastModified: Int64? {
        switch self {
        case .asset(let state, let overlay):
            // A source without a date leaves the whole without one.
            state.lastModified.flatMap { date in
                guard let overlay else { return date }
                return overlay.lastModified.map { max(date, $0) }
            }
        case .fallback, .map: nil
        }
    }

    /// Whether it is another picture than the one that was asked for.
    var isFallback: Bool { status != .ok || isIncomplete }

    /// Whether the picture is made of less than there is, and is worth keeping briefly at most.
    var isIncomplete: Bool {
        if case .map(_, _, true) = self { true } else { false }
    }

    /// The same state for a picture that lacks something; nil where pictures never do.
    var incomplete: SourceValidator? {
        if case .map(let text, let icons, _) = self { .map(text, icons: icons, isIncomplete: true) } else { nil }
    }

    /// With what status its pictures are sent.
    var status: Status {
        switch self {
        case .fallback(_, _, let status): status
        case .asset, .map: .ok
        }
    }
}

/// A picture that was made, and of which state of its sources.
struct RenderedPicture: Sendable {
    /// The octets.
    let content: SharedBytes
    /// Of what type they are.
    let mediaType: String
    /// Field lines that belong to these octets, whoever gets them.
    var fields = FieldLines()
    let validator: SourceValidator
    /// Whether it is kept for ``PolicyLines/briefSeconds`` though it is incomplete: what it lacks will hardly be there sooner.
    var isKeptBriefly = false
    let timings: [(name: StaticString, duration: Duration)]
}

/// One picture as an HTTP resource: all but its sources' state that decides its octets, and how to make them.
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
    /// Whether what the memo of a loop looks at says all that the plan was made of; not what a client prefers of colours.
    var isKnownByMemo: Bool { !vary.contains(MapPlanner.colourScheme.text) }
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

    /// Bumped when the same request and source give other octets: code that draws, decodes or encodes has changed.
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

/// What decides which fields the policy gives a picture.
enum PictureKind: Sendable {
    /// Of a file of the library, which may change.
    case asset
    /// Of content that its id names by digest: it can never be another.
    case namedContent
    /// A map, whose archive stays open for the life of the service.
    case map

    /// The kind of an asset with this id: `~` and 43 characters of base64url name the content itself.
    init(assetID id: String) {
        let isDigest =
            id.utf8.count == 44 && id.utf8.first == UInt8(ascii: "~")
            && id.utf8.dropFirst().allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        self = isDigest ? .namedContent : .asset
    }
}

/// What a picture is known by: its key in the cache and its entity tag.
final class PictureIdentity: Sendable {
    /// The state of the sources.
    let validator: SourceValidator
    /// Whether it is shown instead of the one that was asked for, with the status of that.
    let isFallback: Bool
    /// The key under which it is kept.
    let key: CacheKey
    /// The strong entity tag: 128 bits of the digest.
    let entityTag: EntityTag?
    /// The field lines that every answer for the picture has.
    let fields: FieldLines

    /// With what status it is sent.
    var status: Status { validator.status }

    init(
        validator: SourceValidator, digest: Digest256, makeFields: (EntityTag?, SourceValidator) -> FieldLines
    ) {
        self.validator = validator
        isFallback = validator.isFallback
        key = CacheKey(digest)
        entityTag = EntityTag(opaque: digest.base64URL(octetCount: 16))
        // Preconditions speak of the picture that is missing, so this one gives no validator to anybody.
        fields = makeFields(isFallback ? nil : entityTag, validator)
    }
}
