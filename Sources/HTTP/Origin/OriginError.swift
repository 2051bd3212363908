/// Why nothing usable came from an origin.
package enum OriginError: Error, Equatable, Sendable {
    /// The origin is not on the list of those that may be asked; of a redirect, the one that it leads to.
    case originNotAllowed
    /// Every address of the host is one that the address policy refuses.
    case addressForbidden
    /// A redirect leads to what is no URL that may be fetched.
    case redirectInvalid(OriginURLFault)
    /// More than `limit` redirects.
    case tooManyRedirects(limit: Int)
    /// The name has no address, or DNS did not answer.
    case nameUnknown
    case unreachable
    /// The handshake failed, or the certificate is not the host's, not trusted, or without the pinned key.
    case tlsFailed
    /// Connecting, the first byte or the whole took longer than it may, or bytes came too slowly.
    case timedOut
    /// The connection broke before all of the content had come, at every attempt.
    case broken
    /// What came is no HTTP, or content that does not fit its own fields.
    case notHTTP
    /// The head of the answer has more bytes than are read of one.
    case headTooLarge
    /// The content came in a coding that was not asked for.
    case contentCoded
    /// The content is longer than `limit` bytes.
    case tooLarge(limit: Int)
    /// The origin has nothing there (404, 410).
    case notFound
    /// The origin answered with another status that is no success.
    case status(Int)
    /// The origin asked for patience (429, 503), or has failed so often that it is left alone; seconds until it may be asked.
    case resting(seconds: Int)
    /// Credentials that the operator configured cannot be used, or no token could be had.
    case credentialsUnusable
    /// Nobody waits any more, or the service ends.
    case cancelled
    case noMemory
    /// The content could not be kept: the sink refused it.
    case notKept
}
