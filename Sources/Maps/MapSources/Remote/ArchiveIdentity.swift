import HTTPMessage
import Origin

/// What tells one state of a representation from another (RFC 9110 §8.8).
struct ArchiveIdentity: Equatable, Sendable {
    /// As it came, weak or strong.
    let entityTag: EntityTag?
    let lastModified: String?
    /// The bytes of the whole; nil where the origin does not say.
    let byteCount: Int?

    /// Of the answer to a request for a part, or for everything.
    init(_ head: ResponseHead, contentByteCount: Int) {
        entityTag = head.fields.first(.entityTag).flatMap { EntityTag($0) }
        lastModified = head.fields.first(.lastModified)
        byteCount =
            head.status == .ok
            ? contentByteCount
            : head.fields.first(.contentRange).flatMap { ContentRange($0) }?.wholeCount
    }

    /// Whether another answer may be of the same state: what both say is the same.
    func allows(_ other: ArchiveIdentity) -> Bool {
        func agree<Value: Equatable>(_ mine: Value?, _ theirs: Value?) -> Bool {
            mine == nil || theirs == nil || mine == theirs
        }
        return agree(entityTag, other.entityTag) && agree(byteCount, other.byteCount)
            && (entityTag != nil && other.entityTag != nil || agree(lastModified, other.lastModified))
    }

    /// Fields that keep an origin from sending parts of another state: answers 412 then. A weak tag never matches here
    /// (RFC 9110 §13.1.1), so it is only held against that of the answer.
    var preconditions: Fields {
        var fields = Fields()
        if let entityTag {
            if !entityTag.isWeak { fields.append(.ifMatch, entityTag.text) }
        } else if let lastModified {
            fields.append(.ifUnmodifiedSince, lastModified)
        }
        return fields
    }

    /// Fields that ask whether it is still this state.
    var conditions: Fields {
        var fields = Fields()
        if let entityTag {
            fields.append(.ifNoneMatch, entityTag.text)
        } else if let lastModified {
            fields.append(.ifModifiedSince, lastModified)
        }
        return fields
    }

    /// The same in words, for validators.
    var description: String { "\(byteCount ?? 0) \(entityTag?.text ?? lastModified ?? "")" }
}
