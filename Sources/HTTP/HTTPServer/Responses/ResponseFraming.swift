import HTTPMessage

/// How the client learns where the content of an answer ends (RFC 9112 §6).
enum ResponseFraming: Equatable {
    case length(Int)
    case chunked
    /// The end of the connection; for streamed content to clients of HTTP/1.0, which know no chunks.
    case untilClose
    /// There is no content; what the fields say about its length is another server's word.
    case asGiven

    init(_ content: ResponseContent, version: HTTPVersion?) {
        if let count = content.byteCount {
            self = .length(count)
        } else {
            self = version == .http10 ? .untilClose : .chunked
        }
    }
}
