import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapRender
import Parameters
import Raster
import Reactor

// The one place where errors become statuses and words. Every switch is exhaustive, without `default`: a new error does
// not compile until somebody has thought about its answer.

extension Problem {
    /// Faulty parameters: all of them in one answer.
    init(_ faults: ParameterFaults) {
        let count = faults.faults.count
        let first = faults.faults.first?.message ?? ""
        self.init(
            .badRequest, "invalid-parameters", "The request has invalid parameters",
            detail: count == 1 ? first : "\(count) parameters are invalid; see `parameters`.")
        self.faults = faults.faults
    }

    /// An original that cannot be had; `id` as the request spelled it.
    init(_ error: LibraryError, id: String = "") {
        switch error {
        case .notFound: self = .assetNotFound
        case .notRegularFile: self = .assetNotFound
        case .invalidID(let fault):
            self.init(
                ParameterFaults([
                    ParameterFault(parameter: "id", value: id, reason: .malformed(allowed: Self.allowedID(fault)))
                ]))
        case .accessDenied:
            self.init(
                .forbidden, "asset-forbidden", "The asset cannot be read",
                detail: "The server has no permission to read this file.")
        case .tooLarge(let limit):
            self.init(
                .contentTooLarge, "source-too-large", "The source is too large",
                detail: "The source is larger than \(limit) bytes.")
        case .io(let errno) where Errno(code: errno).isDescriptorShortage:
            self.init(
                .serviceUnavailable, "overloaded", "The service is busy",
                detail: "The server is short of file descriptors or memory. Try again in a few seconds.")
            retryAfterSeconds = 1
            log = "library: \(Errno(code: errno))"
        case .io(let errno):
            self.init(
                .internalServerError, "library-failed", "The library cannot be read",
                detail: "The server logged the error. Try again later.")
            log = "library: errno \(errno)"
        case .changedWhileReading:
            self.init(
                .serviceUnavailable, "source-changing", "The source file is changing",
                detail: "Another program is writing to the file. Try again in a moment.")
            retryAfterSeconds = 1
        case .rootUnavailable(let errno):
            self.init(
                .serviceUnavailable, "library-unavailable", "The library is not available",
                detail: "The folder of the library cannot be opened. Try again later.")
            retryAfterSeconds = 10
            log = "library root: errno \(errno)"
        }
    }

    static var assetNotFound: Problem {
        Problem(
            .notFound, "asset-not-found", "The asset does not exist", detail: "The library has no image with this id.")
    }

    /// No such picture to lay over the one that was asked for.
    static var overlayNotFound: Problem {
        Problem(
            .notFound, "overlay-not-found", "The overlay does not exist",
            detail: "The library has no image with the id in `overlay`.")
    }

    /// No such picture to mark a place with.
    static var iconNotFound: Problem {
        Problem(
            .notFound, "icon-not-found", "The icon does not exist",
            detail: "No image has the id or the address that a `marker` gives as `icon`.")
    }

    /// Markers that show more pictures of other servers than one map may.
    static func tooManyRemoteIcons(limit: Int) -> Problem {
        Problem(
            ParameterFaults([
                ParameterFault(
                    parameter: "marker", value: "",
                    reason: .outOfRange(
                        allowed: "given with at most \(limit) different icons from other servers or a bucket")
                )
            ]))
    }

    /// A style that was taken out of the configuration since it was asked for.
    static var mapStyleGone: Problem {
        Problem(
            .notFound, "map-style-gone", "The style no longer exists",
            detail: "The server's map configuration changed during the request. Leave out `style`, or try again.")
    }

    /// What an id must be, for a fault of its text.
    static func allowedID(_ fault: IDFault) -> String {
        switch fault {
        case .empty: "the path of an image in the library, such as `photos/cat.jpg`"
        case .tooLong(let limit): "at most \(limit) bytes long"
        case .absolute: "a path relative to the library, without a leading `/`"
        case .reservedPrefix: "the path of an image in the library, or `~` and the 43 characters of an upload's id"
        case .emptyComponent: "a path without empty parts"
        case .dotComponent: "a path without `.` or `..`"
        case .componentTooLong(_, let limit): "a path whose parts have at most \(limit) bytes each"
        case .forbiddenCharacter: "a path without control characters or backslashes"
        }
    }

    /// A map that cannot be drawn.
    init(_ error: MapError) {
        switch error {
        case .cancelled: self = .timedOut
        case .canvasOutOfRange(let limit):
            let allowed = "at most \(limit) pixels after `scale`, and so must `height`"
            let fault = ParameterFault(parameter: "width", value: "", reason: .outOfRange(allowed: allowed))
            self.init(ParameterFaults([fault]))
        case .tooManyDashes: self = .tooManyDashes
        }
    }

    /// Lines over a map that have more dashes than one picture may.
    static var tooManyDashes: Problem {
        Problem(
            .unprocessableContent, "too-many-dashes", "The lines have too many dashes",
            detail: """
                The lines on this map would have more than \(DrawnStroke.dashCountLimit) dashes. Use longer dashes in `dash`, \
                shorter lines or a smaller image, or leave out `dash`.
                """)
    }

    /// A request that the server turned away before any handler saw it.
    init(_ failure: RequestFailure) {
        switch failure {
        case .refused(let error):
            self.init(
                error.status, "malformed-request", "The request is not valid HTTP/1.1",
                detail: Self.encodingAdvice(error) ?? Self.detail(error.status))
            log = "\(error)"
        case .unknownMethod:
            self.init(.notImplemented, "unknown-method", "The method is unknown", detail: "Use GET or HEAD.")
        case .timedOut:
            self.init(
                .requestTimeout, "request-timeout", "The request took too long to arrive",
                detail: "Send the whole request without pauses.")
        case .unknownExpectation:
            self.init(
                .expectationFailed, "unknown-expectation", "The expectation is unknown",
                detail: "Send `Expect: 100-continue`, or leave out `Expect`.")
        case .answerTimedOut: self = .timedOut
        case .tooManyConnections:
            self.init(
                .serviceUnavailable, "too-many-connections", "Too many connections are open",
                detail: "Try again in a moment.")
            retryAfterSeconds = 1
        case .tooManyConnectionsFromAddress:
            self.init(
                .tooManyRequests, "too-many-connections-from-address",
                "Too many connections are open from your address",
                detail: "Use fewer connections, or try again in a moment.")
            retryAfterSeconds = 1
        case .lengthRequired:
            self.init(
                .lengthRequired, "length-required", "The request has no content",
                detail: "Send content with Content-Length or Transfer-Encoding.")
        case .contentTooLarge(let limit):
            self.init(
                .contentTooLarge, "content-too-large", "The content is too large",
                detail: "The limit is \(limit) bytes.")
        case .unsupportedMediaType:
            self.init(
                .unsupportedMediaType, "unsupported-media-type", "The media type of the content is not supported",
                detail: "Send the content with a supported `Content-Type` and without `Content-Encoding`.")
        case .contentNotStored:
            self.init(
                .insufficientStorage, "content-not-stored", "The content could not be stored",
                detail: "The server has no room for it. Try again later.")
            retryAfterSeconds = 5
        case .contentMemoryFull:
            self.init(
                .serviceUnavailable, "overloaded", "The service is busy",
                detail: "Too many large requests are arriving at once. Try again in a few seconds.")
            retryAfterSeconds = 1
        }
    }

    /// What to do about a character that cannot stand in a request target as it is.
    private static func encodingAdvice(_ error: RequestError) -> String? {
        switch error {
        case .invalidTarget(let offset):
            """
            Byte \(offset + 1) of the request line is not allowed in a URL. Percent-encode it: `"` as `%22`, `<` as `%3C`, \
            `>` as `%3E`, `#` as `%23`, and letters outside ASCII as their UTF-8 bytes. curl does this with \
            `--get --data-urlencode`.
            """
        case .invalidVersion:
            "The URL must be followed by `HTTP/1.1`. Percent-encode spaces in the URL as `%20`."
        default: nil
        }
    }

    private static func detail(_ status: Status) -> String {
        switch status {
        case .uriTooLong: "The request target is too long."
        case .fieldsTooLarge: "The request has too many header fields, or they are too long."
        case .versionNotSupported: "This server supports HTTP/1.1 and HTTP/1.0."
        case .notImplemented: "The method or the transfer coding is unknown."
        default: "The request breaks a rule of RFC 9112."
        }
    }

    /// No encoding of the picture is as small as it is to be.
    static func bytesUnreachable(limit: Int, smallest: Int) -> Problem {
        Problem(
            .unprocessableContent, "bytes-unreachable", "The image cannot be encoded that small",
            detail: """
                `bytes` allows \(limit) bytes; the smallest encoding found has \(smallest) bytes. Ask for fewer pixels, or allow \
                more bytes.
                """)
    }

    /// As many jobs wait as may.
    static var overloaded: Problem {
        var problem = Problem(
            .serviceUnavailable, "overloaded", "The service is busy",
            detail: "The queue of images to render is full. Try again in a few seconds.")
        problem.retryAfterSeconds = 1
        return problem
    }

    /// Nothing is kept of the picture, and the request wants nothing else (RFC 9111 §5.2.1.7).
    static var notStored: Problem {
        Problem(
            .gatewayTimeout, "not-stored", "The image is not in the cache",
            detail: "The request says `only-if-cached`. Leave that out to have the image rendered.")
    }

    /// For how long it is not tried again to make a picture that failed in this way; nil: at once. Want of room or time
    /// says nothing about the picture.
    var secondsRemembered: Int? {
        switch status {
        case .notFound, .contentTooLarge, .unsupportedMediaType, .unprocessableContent: 60
        case .internalServerError, .badGateway, .gatewayTimeout: 5
        default: nil
        }
    }

    /// The picture was not ready in time.
    static var timedOut: Problem {
        var problem = Problem(
            .serviceUnavailable, "render-timeout", "Rendering the image took too long",
            detail: "The server stopped the work at its time limit. Try again later.")
        problem.retryAfterSeconds = 5
        return problem
    }

    static var routeNotFound: Problem {
        Problem(.notFound, "route-not-found", "Nothing exists at this path", detail: "See /openapi.yaml for all paths.")
    }

    /// A method that the resource does not have.
    static func methodNotAllowed(allow: String) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "method-not-allowed", "This path does not allow the method",
            detail: "Allowed methods: \(allow)."
        )
        problem.allow = allow
        return problem
    }

    /// A request that may not write.
    init(_ refusal: WriteGuard.Refusal) {
        switch refusal {
        case .writesAreOff:
            self.init(
                .forbidden, "writes-off", "Writing is disabled",
                detail: "This server has no token, so nobody can change anything. Its operator can set VEDUTA_TOKEN.")
        case .noToken:
            self.init(
                .unauthorized, "unauthorized", "A token is needed",
                detail: "Send the server's token in `Authorization: Bearer TOKEN`.")
            challenge = Self.challenge
        case .wrongToken:
            self.init(
                .unauthorized, "unauthorized", "A token is needed", detail: "The token in `Authorization` is wrong.")
            challenge = Self.challenge + ", error=\"invalid_token\""
        }
    }

    private static let challenge = "Bearer realm=\"veduta\""

    /// A precondition of the request does not hold (If-Match, If-Unmodified-Since).
    static var preconditionFailed: Problem {
        Problem(
            .preconditionFailed, "precondition-failed", "A precondition does not hold",
            detail:
                "The current version of the image does not meet the `If-Match` or `If-Unmodified-Since` of the request."
        )
    }

    /// All ranges that are asked for begin behind the end (RFC 9110 §15.5.17).
    static func rangeNotSatisfiable(byteCount: Int) -> Problem {
        var problem = Problem(
            .rangeNotSatisfiable, "range-not-satisfiable", "The range is outside the content",
            detail: "The content has \(byteCount) bytes. Ask for a range within it, or leave out `Range`.")
        problem.representationByteCount = byteCount
        return problem
    }
}
