package import Bytes
import HTTPMessage
package import Reactor

/// Takes the content of one request as it comes, in place of the server's collecting it: what has come stays where it was
/// put, however the request ends.
///
/// A keeper is let go of when no more content comes: with the request that has all of it, or when the connection breaks or is
/// too slow, after the last bytes that came were written. So its `deinit` is the place to give up what it holds.
package protocol ContentKeeper: AnyObject, Sendable {
    /// Keeps `bytes`, which are those of the content from `offset` on. On the spool thread, in order and one call at a time;
    /// it may wait for the disk, and the connection does not read on meanwhile.
    ///
    /// After an error there are no further calls, and the request is refused (507).
    func write(_ data: [UInt8], at offset: Int) throws(Errno)
}

/// What a resource takes as the content of a request. Without a rule, content is read past, up to a bound.
package struct ContentRule: Sendable {
    /// The most bytes (413 beyond).
    package var byteLimit: Int
    /// The media types, in lower case and without parameters, or nil for any (415 otherwise).
    package var mediaTypes: [String]?
    /// Whether a request without content is refused (411 without Content-Length and Transfer-Encoding).
    package var isRequired: Bool
    /// Whether content may come in a coding (415 otherwise).
    package var allowsCodings = false
    /// Where content is held that is more than a buffer: in memory, as far as this has room (503 otherwise), and never in a
    /// file. nil: in a file of the spool folder.
    package var memory: ContentMemory?
    /// Gives content a keeper, just before it is read; nil: the server collects it. On the loop's thread, once for a request
    /// with content that keeps the rule. It must not block. Where it has no keeper to give, the content is read past, up to a
    /// bound, and the handler answers a request with `RequestContent.none`.
    package var makeKeeper: (@Sendable () -> (any ContentKeeper)?)?

    package init(
        byteLimit: Int, mediaTypes: [String]? = nil, isRequired: Bool = true, memory: ContentMemory? = nil,
        makeKeeper: (@Sendable () -> (any ContentKeeper)?)? = nil
    ) {
        self.byteLimit = byteLimit
        self.mediaTypes = mediaTypes
        self.isRequired = isRequired
        self.memory = memory
        self.makeKeeper = makeKeeper
    }

    /// Why a request with this head is refused before any content is read; nil: it is not.
    func failure(for head: RequestHead) -> RequestFailure? {
        switch head.framing {
        case .none:
            return isRequired && !head.fields.contains(.contentLength) ? .lengthRequired : nil
        case .length(let count) where count > byteLimit:
            return .contentTooLarge(limit: byteLimit)
        case .length, .chunked:
            guard allowsCodings || !head.fields.contains(.contentEncoding), acceptsMediaType(of: head.fields) else {
                return .unsupportedMediaType
            }
            return nil
        }
    }

    private func acceptsMediaType(of fields: Fields) -> Bool {
        guard let mediaTypes else { return true }
        guard fields.count(of: .contentType) == 1, let value = fields.first(.contentType) else { return false }
        let essence = value.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return mediaTypes.contains(essence.lowercased())
    }
}

/// The content of a request whose resource has a `ContentRule`.
package enum RequestContent: Sendable {
    case none
    case bytes(SharedBytes)
    /// All of it, in a file without a name that is gone with its last user.
    case file(SharedFile)
    /// All of it was written by the keeper that the rule gave.
    case kept(any ContentKeeper, byteCount: Int)

    package var byteCount: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.byteCount
        case .kept(_, let byteCount): byteCount
        }
    }
}
