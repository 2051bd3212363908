package import HTTPMessage

/// How a server treats its clients.
package struct ServerSettings: Sendable {
    /// Limits of a request head.
    package var limits = HTTPLimits()
    /// Connections open at once; one more is answered 503.
    package var connectionLimit = 8192
    /// For a head, from its first octet (or the connection's start) to its last.
    package var headTimeout = Duration.seconds(10)
    /// Between requests.
    package var idleTimeout = Duration.seconds(60)
    /// For a client that takes none of the octets of its answer.
    package var writeTimeout = Duration.seconds(30)
    /// For the handler, from the end of the request to its answer.
    package var answerTimeout = Duration.seconds(60)
    /// Content of a request that nobody asked for is read past up to here; beyond it the connection is closed.
    package var discardByteCount = 65536
    /// What a client still sends when its connection is being closed is read past up to here, so that no reset eats the
    /// answer; two seconds at most.
    package var lingerByteCount = 16 << 20

    /// The defaults.
    package init() {}
}
