import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import ImagePlan
import ResponseCache

/// The state of a source: names it in keys and tags, and dates it.
enum SourceValidator: Equatable, Sendable {
    /// An original of the library.
    case asset(AssetState)
    /// An archive and the style it is drawn in.
    case map(String)

    /// Text that changes whenever the source does.
    var text: String {
        switch self {
        case .asset(let state): state.validator
        case .map(let text): text
        }
    }

    /// When the source was last changed, in seconds since 1970, if that is known.
    var lastModified: Int64? {
        switch self {
        case .asset(let state): state.modifiedUnixSeconds
        case .map: nil
        }
    }
}

/// A picture that was made, and of which state of the source.
struct RenderedPicture: Sendable {
    let content: SharedBytes
    let validator: SourceValidator
    let timings: [(name: StaticString, duration: Duration)]
}

/// One picture as an HTTP resource: all but the source's state that decides its octets, and how to make them.
final class PicturePlan: Sendable {
    /// Looks at the source, without reading it. Quick enough for the loop's thread.
    typealias Look = @Sendable () throws(Problem) -> SourceValidator
    /// Makes the picture on a worker; polls `shouldStop`.
    typealias Render = @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws(Problem) -> RenderedPicture

    /// Which route it belongs to.
    let route: Route
    /// The canonical form of the request.
    let canonical: String
    /// The format that was negotiated.
    let format: OutputFormat
    /// Whether `Accept` had a say in the format.
    let isNegotiated: Bool
    /// What the policy says of it.
    let kind: PictureKind
    /// The group with which it is purged.
    let tag: CacheTag
    let currentValidator: Look
    let render: Render
    /// What is known of its source.
    let watch = SourceWatch()

    init(
        route: Route, canonical: String, format: OutputFormat, isNegotiated: Bool, kind: PictureKind, tag: CacheTag,
        currentValidator: @escaping Look, render: @escaping Render
    ) {
        self.route = route
        self.kind = kind
        self.tag = tag
        self.canonical = canonical
        self.format = format
        self.isNegotiated = isNegotiated
        self.currentValidator = currentValidator
        self.render = render
    }

    /// Bumped when the same request and source give other octets: code that draws, decodes or encodes has changed.
    static let pipelineVersion = "1"

    /// What the picture is known by while its source is in the state that `validator` names; the same on every replica and
    /// after a restart.
    ///
    /// - Parameter otherFormat: the digest of the same picture in another format.
    func digest(with validator: SourceValidator, in otherFormat: OutputFormat? = nil) -> Digest256 {
        var hash = PictureCauses.hash
        hash.update(field: route.rawValue)
        hash.update(field: validator.text)
        hash.update(field: canonical)
        hash.update(field: (otherFormat ?? format).rawValue)
        return hash.digest()
    }

    /// Names the plan whatever its source is like.
    var name: CacheKey {
        var hash = SHA256()
        hash.update(field: route.rawValue)
        hash.update(field: canonical)
        hash.update(field: format.rawValue)
        return CacheKey(hash.digest())
    }

    /// The identity while its source is as `validator` says, with the field lines that all answers for it have: 304 sends
    /// these alone, and those of the policy.
    func identity(with validator: SourceValidator) -> PictureIdentity {
        PictureIdentity(validator: validator, digest: digest(with: validator)) { tag, validator in
            var fields = FieldLines()
            if let tag { fields.append(.entityTag, tag) }
            if let lastModified = validator.lastModified { fields.append(.lastModified, date: lastModified) }
            if isNegotiated { fields.append(.vary, literal: "Accept") }
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
    /// The state of the source.
    let validator: SourceValidator
    /// The key under which it is kept.
    let key: CacheKey
    /// The strong entity tag: 128 bits of the digest.
    let entityTag: EntityTag?
    /// The field lines that every answer for the picture has.
    let fields: FieldLines

    init(
        validator: SourceValidator, digest: Digest256, makeFields: (EntityTag?, SourceValidator) -> FieldLines
    ) {
        self.validator = validator
        key = CacheKey(digest)
        entityTag = EntityTag(opaque: digest.base64URL(octetCount: 16))
        fields = makeFields(entityTag, validator)
    }
}
