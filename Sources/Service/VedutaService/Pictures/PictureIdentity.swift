import Digest
import HTTPMessage
import HTTPServer
import ResponseCache

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
        entityTag = EntityTag(opaque: digest.base64URL(byteCount: 16))
        // Preconditions speak of the picture that is missing, so this one gives no validator to anybody.
        fields = makeFields(isFallback ? nil : entityTag, validator)
    }
}
