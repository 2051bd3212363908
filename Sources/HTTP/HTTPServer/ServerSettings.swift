package import HTTPMessage

package struct ServerSettings: Sendable, Equatable {
    package var limits = HTTPLimits()
    /// One more closes the oldest idle ones, or else those with the oldest unfinished heads, or is answered 503.
    package var connectionLimit = 8192
    /// Open connections of one IPv4 address or IPv6 /64 network; one more is answered 429.
    package var connectionsPerAddress = 4096
    /// For a whole head, from its first byte or the connection's start.
    package var headTimeout = Duration.seconds(10)
    package var idleTimeout = Duration.seconds(60)
    /// For a client that takes no byte of its answer.
    package var writeTimeout = Duration.seconds(30)
    /// For a client that sends no byte of its content.
    package var contentTimeout = Duration.seconds(20)
    /// For the handler to answer, and from one piece of streamed content to the next.
    package var answerTimeout = Duration.seconds(60)
    /// Bytes a second of an answer or of content, on average over the whole once the write or content timeout has passed.
    package var minimumRate = 240
    /// In its place for answers while the handler is short of memory.
    package var minimumRateWhenShort = 65_536
    /// Unwanted content is read past up to here; beyond it the connection closes.
    package var discardByteCount = 65536
    /// Content is held in memory up to here; beyond it goes to a file in `spoolFolder`.
    package var contentBufferByteCount = 65536
    /// If nil, content that is too large for memory is refused (413), and none can be kept (507).
    package var spoolFolder: String?
    /// Input on a closing connection is read past up to here, for two seconds at most, so that no reset eats the answer.
    package var lingerByteCount = 16 << 20
    /// After this silence TCP probes the peer; 0: never.
    package var keepAliveSeconds = 60

    package init() {}
}
