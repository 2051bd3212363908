public import Foundation

/// What a message shows of an image, a document, a place or a poll: a URL that stays the same, and what a layout needs before the image
/// has come.
public struct Attachment: Codable, Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Codable, Sendable {
        /// One image.
        case photo
        /// A file of several pages or frames.
        case pages
        /// A map.
        case place
        /// A poll.
        case poll
    }

    /// What it is.
    public let kind: Kind
    /// `asset://?…`, `map://?…` or `poll://?…`: sessions of the app load it, and so does ``VedutaClient/VedutaClient``.
    public let url: URL
    /// Width ÷ height.
    public let ratio: Double
    /// A placeholder to show while the image loads.
    public let thumbHash: ThumbHash?
    /// 1 for all but files of pages.
    public let pageCount: Int

    /// An image with what the server knows of it, or a file of pages where it has more than one; `url` is that of the whole image
    /// unless given.
    public init(_ facts: AssetFacts, url: AssetURL? = nil) {
        kind = facts.pages > 1 ? .pages : .photo
        self.url = (url ?? AssetURL(facts.id)).local
        ratio = Double(max(1, facts.width)) / Double(max(1, facts.height))
        thumbHash = facts.thumbHash
        pageCount = max(1, facts.pages)
    }

    /// A draft of this size, which the server knows nothing of yet.
    public init(_ draft: Draft, width: Int, height: Int, thumbHash: ThumbHash? = nil) {
        self.init(.photo, draft.url.local, width: width, height: height, thumbHash: thumbHash)
    }

    /// A place on a map.
    public init(_ map: MapURL, _ facts: MapFacts) {
        self.init(.place, map.local, width: facts.width, height: facts.height)
    }

    /// A poll; its boxes to tap are those of `facts`.
    public init(_ poll: PollURL, _ facts: PollFacts) {
        self.init(.poll, poll.local, width: facts.width, height: facts.height)
    }

    private init(_ kind: Kind, _ url: URL, width: Int, height: Int, thumbHash: ThumbHash? = nil) {
        (self.kind, self.url, self.thumbHash) = (kind, url, thumbHash)
        ratio = Double(max(1, width)) / Double(max(1, height))
        pageCount = 1
    }
}
