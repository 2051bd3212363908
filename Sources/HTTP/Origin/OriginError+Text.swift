extension OriginError: CustomStringConvertible {
    /// For operators; "it" is what was asked for.
    package var description: String {
        switch self {
        case .originNotAllowed: "its origin is not on the list of allowed servers"
        case .addressForbidden: "the IP address of its origin is not allowed"
        case .redirectInvalid: "a redirect leads to an invalid URL"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .nameUnknown: "the host name of its origin cannot be resolved"
        case .unreachable: "its origin cannot be reached"
        case .tlsFailed: "a secure connection to its origin failed"
        case .timedOut: "its origin did not answer in time"
        case .busy: "too many requests are waiting for its origin"
        case .broken: "the connection broke"
        case .headTooLarge: "its origin sent header fields that are too large"
        case .notHTTP: "its origin sent an invalid HTTP response"
        case .contentCoded: "it came with a Content-Encoding that was not requested"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .notFound: "its origin does not have it (404)"
        case .status(200): "its origin does not support range requests"
        case .status(let code): "its origin answered with status \(code)"
        case .resting(let seconds): "its origin asked for a pause of \(seconds) s"
        case .credentialsUnusable: "the credentials for its origin cannot be used"
        case .cancelled: "the request was cancelled"
        case .noMemory: "the server is short of memory"
        case .notKept: "it could not be stored"
        }
    }
}
