import Bytes
import Digest
import HTTPMessage
import Origin
import Synchronization
import Tiles

/// One state of an archive on a server: what is known of it from its beginning.
final class ArchiveState: Sendable {
    /// Different for each state that this process has seen; part of the keys of what is kept.
    let number: UInt64
    /// Where its tiles are.
    let index: PMTilesIndex
    /// Of an origin that knows no ranges, everything.
    let whole: SharedBytes?
    /// What the origin tells it by.
    let identity: ArchiveIdentity
    /// What the archive says of itself, once that was read.
    var details: SourceDetails? { known.withLock { $0 } }

    /// The fields by which a state and its freshness are told.
    static let tellingFields: [FieldName] = [
        .age, .cacheControl, .cdnCacheControl, .contentRange, .date, .entityTag, .expires, .lastModified,
    ]

    private let known = Mutex<SourceDetails?>(nil)
    private let beginning: SharedBytes
    /// Tells the state by what the origin says and by the bytes of the beginning.
    let validator: String

    /// Reads the answer to a request for the beginning.
    init(number: UInt64, _ head: ResponseHead, _ content: SharedBytes) throws(TileError) {
        let isWhole = head.status == .ok
        identity = ArchiveIdentity(head, contentByteCount: content.count)
        // An origin that does not say how long it is: what lies beyond its end is found out later.
        let byteCount = identity.byteCount ?? Int.max
        beginning = content.slice(0..<PMTilesIndex.beginningByteCount)
        index = try PMTilesIndex(beginning: beginning, archiveByteCount: UInt64(clamping: byteCount))
        whole = isWhole ? content : nil
        self.number = number
        var hash = SHA256()
        hash.update(field: identity.description)
        let told = whole ?? beginning
        hash.update(told.span)
        validator = hash.digest().base64URL(byteCount: 16)
    }

    /// Keeps what the archive says of itself.
    func keep(_ details: SourceDetails) { known.withLock { $0 = details } }

    /// Bytes that came with the beginning; nil when not all of them did.
    func beginning(_ range: Range<UInt64>) -> SharedBytes? {
        guard range.upperBound <= UInt64(beginning.count) else { return nil }
        return beginning.slice(Int(range.lowerBound)..<Int(range.upperBound))
    }
}

/// Bytes that are asked for together.
struct ArchivePart: Equatable {
    /// From the first to the last of the sections.
    private(set) var range: Range<UInt64>
    /// Which of those that were asked for it answers, by their place in the list.
    private(set) var members: [Int]

    /// As few parts as cover `sections`, where no more than `gap` bytes that nobody wants lie between two, and a part has
    /// at most `byteLimit` bytes, but for a section that has more by itself. O(n log n).
    static func joining(_ sections: [Range<UInt64>], gap: Int, byteLimit: Int) -> [ArchivePart] {
        var parts: [ArchivePart] = []
        let order = sections.indices.sorted { sections[$0].lowerBound < sections[$1].lowerBound }
        for place in order {
            let section = sections[place]
            if var last = parts.last, section.lowerBound <= last.range.upperBound.advanced(by: gap),
                max(section.upperBound, last.range.upperBound) - last.range.lowerBound <= UInt64(byteLimit)
            {
                last.range = last.range.lowerBound..<max(section.upperBound, last.range.upperBound)
                last.members.append(place)
                parts[parts.count - 1] = last
            } else {
                parts.append(ArchivePart(range: section, members: [place]))
            }
        }
        return parts
    }
}
