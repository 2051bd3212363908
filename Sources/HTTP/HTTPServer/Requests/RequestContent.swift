package import Bytes
import HTTPMessage
package import Reactor

/// Stores content while it arrives. The stored bytes stay; `deinit`, when no more content comes, releases everything else.
package protocol ContentKeeper: AnyObject, Sendable {
    /// On the spool thread, in order, one call at a time; may wait for the disk. After an error: 507.
    func write(_ data: [UInt8], at offset: Int) throws(Errno)
}

/// The content that a resource accepts. Without a rule, the server reads and discards content, up to a bound.
package struct ContentRule: Sendable {
    /// 413 beyond.
    package var byteLimit: Int
    /// In lower case without parameters; nil for any (415 otherwise).
    package var mediaTypes: [String]?
    /// Whether a request without content is refused (411 without Content-Length and Transfer-Encoding).
    package var isRequired: Bool
    /// Whether content may have a coding (415 otherwise).
    package var allowsCodings = false
    /// Where it stays, whatever its length; nil: beyond the buffer it goes into a file.
    package var memory: ContentMemory.Share?
    /// Once for a request, on the loop's thread; the keeper may send interim answers by the responder, but not the answer. Nil: the
    /// server collects it. Returning nil: it is read past (`.none`).
    package var makeKeeper: (@Sendable (Responder) -> (any ContentKeeper)?)?

    package init(
        byteLimit: Int, mediaTypes: [String]? = nil, isRequired: Bool = true, memory: ContentMemory.Share? = nil,
        makeKeeper: (@Sendable (Responder) -> (any ContentKeeper)?)? = nil
    ) {
        self.byteLimit = byteLimit
        self.mediaTypes = mediaTypes
        self.isRequired = isRequired
        self.memory = memory
        self.makeKeeper = makeKeeper
    }

    func failure(for head: RequestHead) -> RequestFailure? {
        switch head.framing {
        case .none: return isRequired && !head.fields.contains(.contentLength) ? .lengthRequired : nil
        case .length(let count) where count > byteLimit: return .contentTooLarge(limit: byteLimit)
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

/// The content of a request to a resource with a `ContentRule`.
package enum RequestContent: Sendable {
    case none
    case bytes(SharedBytes)
    /// In a file without a name, which is gone with its last user.
    case file(SharedFile)
    /// Written by the keeper that the rule gave.
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
