import Bytes
import Digest
import HTTPMessage
import Origin
import Synchronization
import Tiles

/// One state of an archive on a server, as far as its beginning tells.
final class ArchiveState: Sendable {
    /// Different for each state that this process has seen; part of cache keys.
    let number: UInt64
    let index: PMTilesIndex
    /// The whole archive, from an origin that does not support ranges.
    let whole: SharedBytes?
    let identity: ArchiveIdentity
    /// Names the state by its identity and the bytes of the beginning.
    let validator: String

    /// The fields that tell a state and its freshness.
    static let tellingFields: [FieldName] = [
        .age, .cacheControl, .cdnCacheControl, .contentRange, .date, .entityTag, .expires, .lastModified,
    ]

    private let known = Mutex<SourceDetails?>(nil)
    private let beginning: SharedBytes

    /// Reads the answer to a request for the beginning.
    init(number: UInt64, _ head: ResponseHead, _ content: SharedBytes) throws(TileError) {
        self.number = number
        identity = ArchiveIdentity(head, contentByteCount: content.count)
        // If the origin does not say how long it is, reading beyond its end fails later.
        let byteCount = UInt64(clamping: identity.byteCount ?? Int.max)
        beginning = content.slice(0..<PMTilesIndex.beginningByteCount)
        index = try PMTilesIndex(beginning: beginning, archiveByteCount: byteCount)
        whole = head.status == .ok ? content : nil
        var hash = SHA256()
        hash.update(field: identity.description)
        let told = whole ?? beginning
        hash.update(told.span)
        validator = hash.digest().base64URL(byteCount: 16)
    }

    /// The archive's description of itself, once it was read.
    var details: SourceDetails? { known.withLock { $0 } }
    func keep(_ details: SourceDetails) { known.withLock { $0 = details } }

    /// Bytes that came with the beginning; nil unless all of them did.
    func beginning(_ range: Range<UInt64>) -> SharedBytes? {
        guard range.upperBound <= UInt64(beginning.count) else { return nil }
        return beginning.slice(Int(range.lowerBound)..<Int(range.upperBound))
    }
}

/// Bytes that are fetched together.
struct ArchivePart: Equatable {
    /// From the first to the last of the sections.
    private(set) var range: Range<UInt64>
    /// The indices of the sections that it covers.
    private(set) var members: [Int]

    /// The fewest parts that cover `sections` with gaps of at most `gap` unused bytes and at most `byteLimit` bytes per
    /// part, unless one section alone is larger. O(n log n).
    static func joining(_ sections: [Range<UInt64>], gap: Int, byteLimit: Int) -> [ArchivePart] {
        var parts: [ArchivePart] = []
        for index in sections.indices.sorted(by: { sections[$0].lowerBound < sections[$1].lowerBound }) {
            let section = sections[index]
            if var last = parts.last, section.lowerBound <= last.range.upperBound.advanced(by: gap),
                max(section.upperBound, last.range.upperBound) - last.range.lowerBound <= UInt64(byteLimit)
            {
                last.range = last.range.lowerBound..<max(section.upperBound, last.range.upperBound)
                last.members.append(index)
                parts[parts.count - 1] = last
            } else {
                parts.append(ArchivePart(range: section, members: [index]))
            }
        }
        return parts
    }
}

/// Tells one state of an archive from another by its validators (RFC 9110 §8.8) and length.
struct ArchiveIdentity: Equatable, Sendable {
    let entityTag: EntityTag?
    let lastModified: String?
    /// The length of the whole; nil if the origin does not say.
    let byteCount: Int?

    /// Of the answer to a request for a part, or for the whole.
    init(_ head: ResponseHead, contentByteCount: Int) {
        entityTag = head.fields.first(.entityTag).flatMap { EntityTag($0) }
        lastModified = head.fields.first(.lastModified)
        byteCount =
            head.status == .ok
            ? contentByteCount
            : head.fields.first(.contentRange).flatMap { ContentRange($0) }?.wholeCount
    }

    /// Whether another answer may be of the same state: everything that both say is equal.
    func allows(_ other: ArchiveIdentity) -> Bool {
        func agree<Value: Equatable>(_ mine: Value?, _ theirs: Value?) -> Bool {
            mine == nil || theirs == nil || mine == theirs
        }
        return agree(entityTag, other.entityTag) && agree(byteCount, other.byteCount)
            && (entityTag != nil && other.entityTag != nil || agree(lastModified, other.lastModified))
    }

    /// Fields that make an origin answer 412 instead of sending parts of another state. A weak tag never matches here
    /// (RFC 9110 §13.1.1), so it is only compared with that of the answer.
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

    var description: String { "\(byteCount ?? 0) \(entityTag?.text ?? lastModified ?? "")" }
}
