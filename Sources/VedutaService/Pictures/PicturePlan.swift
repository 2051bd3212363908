import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import ImageEngine
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
    let currentValidator: Look
    let render: Render

    init(
        route: Route, canonical: String, format: OutputFormat, isNegotiated: Bool, currentValidator: @escaping Look,
        render: @escaping Render
    ) {
        self.route = route
        self.canonical = canonical
        self.format = format
        self.isNegotiated = isNegotiated
        self.currentValidator = currentValidator
        self.render = render
    }

    /// Bumped when the same request and source give other octets: code that draws, decodes or encodes has changed.
    static let pipelineVersion = "1"

    private static let engineVersion = ImageEngine.version

    /// What the picture is known by while its source is in the state that `validator` names; the same on every replica and
    /// after a restart.
    func digest(with validator: SourceValidator) -> Digest256 {
        var hash = SHA256()
        hash.update(field: Self.pipelineVersion)
        hash.update(field: Self.engineVersion)
        hash.update(field: route.rawValue)
        hash.update(field: validator.text)
        hash.update(field: canonical)
        hash.update(field: format.rawValue)
        return hash.digest()
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
