package import HTTPMessage

/// How a server treats its clients.
package struct ServerSettings: Sendable, Equatable {
    package var limits = HTTPLimits()
    /// Connections open at once. One more makes the oldest idle ones close, or else those whose heads have been unfinished for
    /// longest; when there are none it is answered 503.
    package var connectionLimit = 8192
    /// Connections open at once from one IPv4 address or IPv6 /64 network; one more is answered 429.
    package var connectionsPerAddress = 4096
    /// For a head, from its first byte (or the connection's start) to its last.
    package var headTimeout = Duration.seconds(10)
    package var idleTimeout = Duration.seconds(60)
    /// For a client that takes none of the bytes of its answer.
    package var writeTimeout = Duration.seconds(30)
    /// For a client that sends none of the bytes of its content.
    package var contentTimeout = Duration.seconds(20)
    /// For the handler, from the end of the request to its answer, and from one piece of streamed content to the next.
    package var answerTimeout = Duration.seconds(60)
    /// Bytes a second that a client must take of an answer, and send of content, on average over the whole of it once
    /// the write or content timeout has passed.
    package var minimumRate = 240
    /// Content of a request that nobody asked for is read past up to here; beyond it the connection is closed.
    package var discardByteCount = 65536
    /// Content that a resource takes is held in memory up to here; beyond it goes to a file in `spoolFolder`.
    package var contentBufferByteCount = 65536
    /// Where content goes that is too much for memory; nil: such content is refused (413), and content
    /// that a resource keeps itself cannot be kept (507), as there is no thread for it.
    package var spoolFolder: String?
    /// What a client still sends when its connection is being closed is read past up to here, so that no reset eats the
    /// answer; two seconds at most.
    package var lingerByteCount = 16 << 20
    /// A peer that is silent for so long is asked by TCP whether it is still there; 0: never.
    package var keepAliveSeconds = 60

    package init() {}
}
