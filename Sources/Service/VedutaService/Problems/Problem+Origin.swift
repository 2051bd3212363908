import HTTPMessage
import Origin

// Originals of other servers. Causes stay in the log.

extension Problem {
    /// What the address of an original must be, for a fault of its text.
    static func allowedURL(_ fault: OriginURLFault) -> String {
        switch fault {
        case .tooLong(let limit): "at most \(limit) bytes long"
        case .scheme: "a URL that begins with `https://` or `http://`"
        case .credentials: "a URL without a user or password"
        case .host: "a URL with a host name, or with an IP address in its usual form"
        case .port: "a URL with a port from 1 to 65535, or without a port"
        case .fragment: "a URL without `#`"
        case .byte: "a URL without control characters and with valid percent-encoding"
        }
    }
    /// The same of the name of an object.
    static func allowedObject(_ fault: S3LocationFault) -> String {
        switch fault {
        case .scheme, .key:
            "`s3://`, a bucket, `/` and a key of at most 1,024 bytes without `.`, `..` or control characters"
        case .bucket: "`s3://` and the name of a bucket: 3 to 63 characters of a-z, 0-9, `.` and `-`"
        }
    }

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
                detail: "The source is larger than \(limit.byteLimitText).")
        case .notFound:
            self = .assetNotFound
            return
        case .status(let code): self = .badSource("The server of the source answered with status \(code).")
        case .resting(let seconds):
            self = .badSource("The server of the source asked for a pause. Try again after the time in `Retry-After`.")
            retryAfterSeconds = max(1, min(seconds, 86_400))
        case .credentialsUnusable: self = .badSource("This server's credentials for the source cannot be used.")
        case .cancelled, .noMemory, .busy: self = .overloaded
        case .notKept:
            self.init(
                .serviceUnavailable, "source-not-kept", "The source could not be stored",
                detail: "The server has no room for the source. Try again later.", retryAfter: 10)
        }
        log = "origin: \(error)"
    }

    private static func badSource(_ detail: String) -> Problem {
        Problem(.badGateway, "source-failed", "The source could not be fetched", detail: detail)
    }

    static var loop: Problem {
        Problem(
            .loopDetected, "source-loop", "The request loops",
            detail: "The request has already passed through this server; see its `Via` field.")
    }
}
