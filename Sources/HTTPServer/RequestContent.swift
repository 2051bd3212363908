package import Bytes
import HTTPMessage
package import Reactor

/// What a resource takes as the content of a request. Without a rule, content is read past, up to a bound.
package struct ContentRule: Sendable, Equatable {
    /// The most octets (413 beyond).
    package var byteLimit: Int
    /// The media types, in lower case and without parameters, or nil for any (415 otherwise).
    package var mediaTypes: [String]?
    /// Whether a request without content is refused (411 without Content-Length and Transfer-Encoding).
    package var isRequired: Bool

    /// A rule.
    package init(byteLimit: Int, mediaTypes: [String]? = nil, isRequired: Bool = true) {
        self.byteLimit = byteLimit
        self.mediaTypes = mediaTypes
        self.isRequired = isRequired
    }

    /// Why a request with this head is refused before any content is read; nil: it is not.
    func failure(for head: RequestHead) -> RequestFailure? {
        switch head.framing {
        case .none:
            return isRequired && !head.fields.contains(.contentLength) ? .lengthRequired : nil
        case .length(let count) where count > byteLimit:
            return .contentTooLarge(limit: byteLimit)
        case .length, .chunked:
            guard !head.fields.contains(.contentEncoding), acceptsMediaType(of: head.fields) else {
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
    /// There is none.
    case none
    /// All of it, in memory.
    case bytes(SharedBytes)
    /// All of it, in a file without a name that is gone with its last user.
    case file(SharedFile)

    /// The number of octets.
    package var byteCount: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.byteCount
        }
    }
}
