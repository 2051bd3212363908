package import Bytes
package import Reactor

/// The content of an answer.
package enum ResponseContent: Sendable {
    /// Bytes in memory, sent from where they are.
    case bytes(SharedBytes)
    /// A whole file, sent by the kernel.
    case file(SharedFile)
    /// Pieces of memory and of files one after the other, as ranges need them.
    case parts([ContentPart])
    /// Bytes that are still being made: chunked, or up to the end of the connection for HTTP/1.0.
    case stream(ContentStream)

    /// The number of bytes, or nil when it is not known ahead.
    package var byteCount: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.byteCount
        case .parts(let parts): parts.reduce(0) { $0 + $1.byteCount }
        case .stream: nil
        }
    }
}

/// A run of bytes within shared memory or a file.
package enum ContentPart: Sendable {
    /// A range of bytes in memory.
    case bytes(SharedBytes, Range<Int>)
    case file(SharedFile, Range<Int>)

    package var byteCount: Int {
        switch self {
        case .bytes(_, let range), .file(_, let range): range.count
        }
    }
}

/// Content of unknown length that is asked for piece by piece: at most one piece is under way, so a slow client slows its
/// maker down and nothing piles up.
package struct ContentStream: Sendable {
    let pull: @Sendable (PieceSink) -> Void
    let onAbandon: @Sendable () -> Void

    /// - Parameters:
    ///   - pull: called on the loop when the client is ready for more; must not block. Exactly one call of the sink, on any
    ///     thread, answers it.
    ///   - onAbandon: called once if the client goes away before the end.
    package init(
        pull: @escaping @Sendable (PieceSink) -> Void, onAbandon: @escaping @Sendable () -> Void = {}
    ) {
        self.pull = pull
        self.onAbandon = onAbandon
    }
}

/// Where the next piece of a `ContentStream` goes. One call, on any thread.
package struct PieceSink: Sendable {
    let post: @Sendable (StreamPiece) -> Void

    /// Sends `piece`; then the next one is asked for. An empty piece is nothing.
    package func send(_ piece: SharedBytes) { post(.bytes(piece)) }

    package func finish() { post(.end) }

    /// Breaks the connection off, so that the client knows that the content is not whole (RFC 9112 §8).
    package func fail() { post(.failure) }
}

/// What a sink was told.
package enum StreamPiece: Sendable {
    case bytes(SharedBytes)
    case end
    case failure
}
