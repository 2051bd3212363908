package import HTTPMessage

package enum OriginError: Error, Equatable, Sendable {
    case originNotAllowed
    /// The address policy refuses every address of the host.
    case addressForbidden
    case redirectInvalid(OriginURLFault)
    case tooManyRedirects(limit: Int)
    /// The name has no address, or DNS did not answer.
    case nameUnknown
    case unreachable
    /// The handshake failed, or the certificate is not the host's, not trusted, or without the pinned key.
    case tlsFailed
    /// Connecting, the first byte or the whole took too long, or bytes came too slowly.
    case timedOut
    /// All of our connections were in use for too long. Says nothing about the origin.
    case busy
    /// The connection broke before the end of the content, at every attempt.
    case broken
    case notHTTP, headTooLarge, contentCoded
    case tooLarge(limit: Int)
    /// 404 or 410.
    case notFound
    case status(Int)
    /// The origin asked to wait (429, 503) or has failed so often that it is not asked for this long.
    case resting(seconds: Int)
    /// The operator's credentials are unusable, or no token is available.
    case credentialsUnusable
    /// Nobody waits any more, or the service ends.
    case cancelled
    case noMemory
    case notKept
}
