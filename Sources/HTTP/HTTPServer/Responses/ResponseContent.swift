package import Bytes
import HTTPMessage
package import Reactor

package enum ResponseContent: Sendable {
    case bytes(SharedBytes)
    /// Sent by the kernel.
    case file(SharedFile)
    /// Pieces of memory and of files, as ranges need them.
    case parts([ContentPart])
    /// Of unknown length: chunked, or up to the end of the connection for HTTP/1.0.
    case stream(ContentStream)

    /// Nil when it is not known ahead.
    package var byteCount: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.byteCount
        case .parts(let parts): parts.reduce(0) { $0 + $1.byteCount }
        case .stream: nil
        }
    }
}

package enum ContentPart: Sendable {
    case bytes(SharedBytes, Range<Int>)
    case file(SharedFile, Range<Int>)

    package var byteCount: Int {
        switch self {
        case .bytes(_, let range), .file(_, let range): range.count
        }
    }
}

/// Of unknown length, pulled piece by piece, one at a time: a slow client slows its maker down.
package struct ContentStream: Sendable {
    let pull: @Sendable (PieceSink) -> Void
    let onAbandon: @Sendable () -> Void

    /// `pull` must not block; one call of the sink, on any thread, answers it. `onAbandon`: the client left early.
    package init(pull: @escaping @Sendable (PieceSink) -> Void, onAbandon: @escaping @Sendable () -> Void = {}) {
        self.pull = pull
        self.onAbandon = onAbandon
    }
}

/// Takes the next piece of a `ContentStream`: one call, on any thread.
package struct PieceSink: Sendable {
    let post: @Sendable (StreamPiece) -> Void

    /// Sends `piece`, which may be empty; then the next one is pulled.
    package func send(_ piece: SharedBytes) { post(.bytes(piece)) }
    package func finish() { post(.end) }

    /// Breaks the connection, so that the client sees that the content is incomplete (RFC 9112 §8).
    package func fail() { post(.failure) }
}

package enum StreamPiece: Sendable {
    case bytes(SharedBytes)
    case end
    case failure
}

/// How an answer's content is delimited (RFC 9112 §6).
enum ResponseFraming: Equatable {
    case length(Int)
    case chunked
    /// By the end of the connection, for streamed content to HTTP/1.0.
    case untilClose
    /// No content; another server's fields tell its length.
    case asGiven

    init(_ content: borrowing ResponseContent, version: HTTPVersion?) {
        if let count = content.byteCount {
            self = .length(count)
        } else {
            self = version == .http10 ? .untilClose : .chunked
        }
    }
}
