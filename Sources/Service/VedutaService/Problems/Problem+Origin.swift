import HTTPMessage
import Origin
import Parameters

// Originals of other servers: why one could not be had. Causes stay in the log.

extension Problem {
    /// A remote id that is none.
    init(_ fault: OriginURLFault, id: String) {
        let allowed =
            switch fault {
            case .tooLong(let limit): "at most \(limit) bytes long"
            case .scheme: "a URL that begins with `https://` or `http://`"
            case .credentials: "a URL without a user or password"
            case .host: "a URL with a host name, or with an IP address in its usual form"
            case .port: "a URL with a port from 1 to 65535, or without a port"
            case .fragment: "a URL without `#`"
            case .byte: "a URL without control characters and with valid percent-encoding"
            }
        self.init(
            ParameterFaults([ParameterFault(parameter: "id", value: id, reason: .malformed(allowed: allowed))]))
    }

    /// An id that names no object.
    init(_ fault: S3LocationFault, id: String) {
        let allowed =
            switch fault {
            case .scheme, .key:
                "`s3://`, a bucket, `/` and a key of at most 1,024 bytes without `.`, `..` or control characters"
            case .bucket: "`s3://` and the name of a bucket: 3 to 63 characters of a-z, 0-9, `.` and `-`"
            }
        self.init(
            ParameterFaults([ParameterFault(parameter: "id", value: id, reason: .malformed(allowed: allowed))]))
    }

    /// An original that did not come.
    init(_ error: OriginError) {
        switch error {
        case .originNotAllowed, .addressForbidden:
            self.init(
                .forbidden, "source-forbidden", "The source is not allowed",
                detail: "This server fetches images only from servers that its operator allows.")
        case .redirectInvalid, .tooManyRedirects:
            self = .badSource("The server of the source redirects to an invalid or forbidden URL, or too many times.")
        case .nameUnknown: self = .badSource("The host name of the source cannot be resolved.")
        case .unreachable: self = .badSource("The server of the source cannot be reached.")
        case .tlsFailed:
            self = .badSource(
                "A secure connection to the server of the source failed: its certificate could not be verified.")
        case .timedOut:
            self.init(
                .gatewayTimeout, "source-timeout", "The source took too long",
                detail: "The server of the source did not answer in time. Try again later.")
        case .broken: self = .badSource("The server of the source closed the connection early.")
        case .notHTTP: self = .badSource("The server of the source sent an incomplete or invalid HTTP response.")
        case .headTooLarge: self = .badSource("The server of the source sent header fields that are too large.")
        case .contentCoded:
            self = .badSource("The server of the source sent a `Content-Encoding` that was not requested.")
        case .tooLarge(let limit):
            self.init(
                .unprocessableContent, "source-too-large", "The source is too large",
                detail: "The source is larger than \(limit) bytes.")
        case .notFound:
            self = .assetNotFound
            return
        case .status(let code): self = .badSource("The server of the source answered with status \(code).")
        case .resting(let seconds):
            self = .badSource("The server of the source asked for a pause. Try again after the time in `Retry-After`.")
            retryAfterSeconds = max(1, min(seconds, 86_400))
        case .credentialsUnusable: self = .badSource("This server's credentials for the source cannot be used.")
        case .cancelled, .noMemory: self = .overloaded
        case .notKept:
            self.init(
                .serviceUnavailable, "source-not-kept", "The source could not be stored",
                detail: "The server has no room for the source. Try again later.")
            retryAfterSeconds = 10
        }
        log = "origin: \(error)"
    }

    private static func badSource(_ detail: String) -> Problem {
        Problem(.badGateway, "source-failed", "The source could not be fetched", detail: detail)
    }

    /// Whether an origin, or the way to it, is the cause: another picture may be shown meanwhile.
    var isOriginFailure: Bool { status == .badGateway || status == .gatewayTimeout }

    /// The source is not held, and no other server is asked.
    static var sourceOffline: Problem {
        Problem(
            .gatewayTimeout, "source-offline", "The source is not in the cache",
            detail: "This server is offline: it serves only cached sources and fetches nothing from other servers.")
    }

    /// What was held of the source a moment ago is gone.
    static var originalLost: Problem {
        var problem = Problem(
            .serviceUnavailable, "source-evicted", "The source left the cache",
            detail: "The source was evicted during the request. Try again in a moment.")
        problem.retryAfterSeconds = 1
        return problem
    }

    /// The request has come through this server before.
    static var loop: Problem {
        Problem(
            .loopDetected, "source-loop", "The request loops",
            detail: "The request has already passed through this server; see its `Via` field.")
    }
}
