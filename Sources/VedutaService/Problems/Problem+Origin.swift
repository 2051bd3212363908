import HTTPMessage
import Origin
import Parameters

// Originals of other servers: why one could not be had. Causes stay in the log.

extension Problem {
    /// A remote id that is none.
    init(_ fault: OriginURLFault, id: String) {
        let allowed =
            switch fault {
            case .tooLong(let limit): "at most \(limit) octets long"
            case .scheme: "an address that begins with `https://` or `http://`"
            case .credentials: "an address without a user or a password"
            case .host: "an address with the name of a host, or an IP address in its usual spelling"
            case .port: "an address with a port from 1 to 65535, or without one"
            case .fragment: "an address without `#`"
            case .octet: "an address without control characters and broken escapes"
            }
        self.init(
            ParameterFaults([ParameterFault(parameter: "id", value: id, reason: .malformed(allowed: allowed))]))
    }

    /// An id that names no object.
    init(_ fault: S3LocationFault, id: String) {
        let allowed =
            switch fault {
            case .scheme, .key:
                "`s3://`, a bucket, `/` and a key of at most 1,024 octets without `.`, `..` and control characters"
            case .bucket: "`s3://` and the name of a bucket: 3 to 63 of a-z, 0-9, `.` and `-`"
            }
        self.init(
            ParameterFaults([ParameterFault(parameter: "id", value: id, reason: .malformed(allowed: allowed))]))
    }

    /// An original that did not come.
    init(_ error: OriginError) {
        switch error {
        case .originNotAllowed, .addressForbidden:
            self.init(
                .forbidden, "source-forbidden", "The source may not be fetched",
                detail: "Pictures are fetched only from servers that the operator of this one allows.")
        case .redirectInvalid, .tooManyRedirects:
            self = .badSource("The server of the source redirects to where nothing can be fetched.")
        case .nameUnknown: self = .badSource("The name of the source's server is not known.")
        case .unreachable: self = .badSource("The server of the source cannot be reached.")
        case .tlsFailed: self = .badSource("The server of the source could not prove who it is.")
        case .timedOut:
            self.init(
                .gatewayTimeout, "source-timeout", "The source did not come in time",
                detail: "The server of the source was too slow; try again later.")
        case .broken: self = .badSource("The server of the source broke off in the middle.")
        case .notHTTP: self = .badSource("What the server of the source sent is no whole answer.")
        case .headTooLarge: self = .badSource("The server of the source sent header fields that are too large.")
        case .contentCoded: self = .badSource("The server of the source sent a content coding that was not asked for.")
        case .tooLarge(let limit):
            self.init(
                .unprocessableContent, "source-too-large", "The source is too large",
                detail: "The source has more than \(limit) octets.")
        case .notFound:
            self = .assetNotFound
            return
        case .status(let code): self = .badSource("The server of the source answered with \(code).")
        case .resting(let seconds):
            self = .badSource("The server of the source asks for patience.")
            retryAfterSeconds = max(1, min(seconds, 86_400))
        case .credentialsUnusable: self = .badSource("The server of the source cannot be asked.")
        case .cancelled, .noMemory: self = .overloaded
        case .notKept:
            self.init(
                .serviceUnavailable, "source-not-kept", "There is no room for the source", detail: "Try again later.")
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
            .gatewayTimeout, "source-offline", "The source is not here",
            detail: "This server is offline: it serves what it holds, and asks no other server.")
    }

    /// What was held of the source a moment ago is gone.
    static var originalLost: Problem {
        var problem = Problem(
            .serviceUnavailable, "source-evicted", "The source is not here any more", detail: "Try again in a moment.")
        problem.retryAfterSeconds = 1
        return problem
    }

    /// The request has come through this server before.
    static var loop: Problem {
        Problem(
            .loopDetected, "source-loop", "The source is this server's own answer",
            detail: "The request has come through this server before; see its `Via` field.")
    }
}
