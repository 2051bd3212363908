import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapRender
import Parameters
import Reactor

// Here errors become statuses and words. Every switch is exhaustive, without `default`: a new error does not compile
// until somebody has thought about its answer.

extension Problem {
    init(_ faults: ParameterFaults) {
        let count = faults.faults.count
        let first = faults.faults.first?.message ?? ""
        self.init(
            .badRequest, "invalid-parameters", "The request has invalid parameters",
            detail: count == 1 ? first : "\(count) parameters are invalid; see `parameters`.")
        self.faults = faults.faults
    }

    /// `id` as the request spelled it.
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
        case .tooLarge(let limit): self = .sourceTooLarge("The source is larger than \(limit.byteLimitText).")
        case .io(let errno) where Errno(code: errno).isDescriptorShortage:
            self = .busy(
                "The server is short of file descriptors or memory. Try again in a few seconds.", retryAfter: 1,
                log: "library: \(Errno(code: errno))")
        case .io(let errno): self = .libraryFailed(log: "library: errno \(errno)")
        case .changedWhileReading:
            self.init(
                .serviceUnavailable, "source-changing", "The source file is changing",
                detail: "Another program is writing to the file. Try again in a moment.", retryAfter: 1)
        case .rootUnavailable(let errno):
            self.init(
                .serviceUnavailable, "library-unavailable", "The library is not available",
                detail: "The folder of the library cannot be opened. Try again later.", retryAfter: 10,
                log: "library root: errno \(errno)")
        }
    }

    static var assetNotFound: Problem {
        Problem(
            .notFound, "asset-not-found", "The asset does not exist", detail: "The library has no image with this id.")
    }

    static func tooManyRemotePictures(_ parameter: String, limit: Int) -> Problem {
        Problem(
            ParameterFaults([
                ParameterFault(
                    parameter: parameter, value: "",
                    reason: .outOfRange(
                        allowed: "given with at most \(limit) different pictures from other servers or a bucket")
                )
            ]))
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

    init(_ error: MapError) {
        switch error {
        case .cancelled: self = .timedOut
        case .canvasOutOfRange(let limit):
            let allowed = "at most \(limit) pixels after `scale`, and so must `height`"
            let fault = ParameterFault(parameter: "width", value: "", reason: .outOfRange(allowed: allowed))
            self.init(ParameterFaults([fault]))
        case .tooManyDashes: self = .tooManyDashes
        case .tilesTooLarge(let limit):
            self.init(
                .unprocessableContent, "result-too-costly", "The image would take too much work",
                detail: "The tiles of this map take more than \(limit.byteLimitText) of memory. Ask for a smaller map.")
        case .tooManyTiles(let limit):
            self.init(
                .unprocessableContent, "result-too-costly", "The image would take too much work",
                detail: """
                    This map takes more than \(limit) tiles. Ask for a smaller map, or for one that is tilted less.
                    """)
        }
    }

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
                detail: Self.encodingAdvice(error) ?? Self.detail(error.status), log: "\(error)")
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
                detail: "Try again in a moment.", retryAfter: 1)
        case .tooManyConnectionsFromAddress:
            self.init(
                .tooManyRequests, "too-many-connections-from-address",
                "Too many connections are open from your address",
                detail: "Use fewer connections, or try again in a moment.", retryAfter: 1)
        case .lengthRequired:
            self.init(
                .lengthRequired, "length-required", "The request has no content",
                detail: "Send content with Content-Length or Transfer-Encoding.")
        case .contentTooLarge(let limit):
            self.init(
                .contentTooLarge, "content-too-large", "The content is too large",
                detail: "The limit is \(limit.byteLimitText).")
        case .unsupportedMediaType:
            self.init(
                .unsupportedMediaType, "unsupported-media-type", "The media type of the content is not supported",
                detail: "Send the content with a supported `Content-Type` and without `Content-Encoding`.")
        case .contentNotStored:
            self.init(
                .insufficientStorage, "content-not-stored", "The content could not be stored",
                detail: "The server has no room for it. Try again later.", retryAfter: 5)
        case .contentMemoryFull:
            self = .busy("Too many large requests are arriving at once. Try again in a few seconds.", retryAfter: 1)
        }
    }

    /// What to do about a character that is not allowed in a request target.
    private static func encodingAdvice(_ error: RequestError) -> String? {
        switch error {
        case .invalidTarget(let offset):
            """
            Byte \(offset + 1) of the request line is not allowed in a URL. Percent-encode it: `"` as `%22`, `<` as `%3C`, \
            `>` as `%3E`, `#` as `%23`, and letters outside ASCII as their UTF-8 bytes. curl does this with \
            `--get --data-urlencode`.
            """
        case .invalidVersion: "The URL must be followed by `HTTP/1.1`. Percent-encode spaces in the URL as `%20`."
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

    static func bytesUnreachable(limit: Int, smallest: Int) -> Problem {
        Problem(
            .unprocessableContent, "bytes-unreachable", "The image cannot be encoded that small",
            detail: """
                `bytes` allows \(limit) bytes; the smallest encoding found has \(smallest) bytes. Ask for fewer pixels, or allow \
                more bytes.
                """)
    }

    static var overloaded: Problem {
        busy(
            "Too many images wait to be rendered, or to be read by their clients. Try again in a few seconds.",
            retryAfter: 1)
    }

    /// The request says only-if-cached (RFC 9111 §5.2.1.7).
    static var notStored: Problem {
        Problem(
            .gatewayTimeout, "not-stored", "The image is not in the cache",
            detail: "The request says `only-if-cached`. Leave that out to have the image rendered.")
    }

    static var timedOut: Problem {
        Problem(
            .serviceUnavailable, "render-timeout", "Rendering the image took too long",
            detail: "The server stopped the work at its time limit. Try again later.", retryAfter: 5)
    }

    static func methodNotAllowed(allow: String) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "method-not-allowed", "This path does not allow the method",
            detail: "Allowed methods: \(allow)."
        )
        problem.allow = allow
        return problem
    }

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

    static var preconditionFailed: Problem {
        Problem(
            .preconditionFailed, "precondition-failed", "A precondition does not hold",
            detail:
                "What is stored now does not meet `If-Match`, `If-None-Match` or `If-Unmodified-Since` of the request."
        )
    }

    /// RFC 9110 §15.5.17.
    static func rangeNotSatisfiable(byteCount: Int) -> Problem {
        var problem = Problem(
            .rangeNotSatisfiable, "range-not-satisfiable", "The range is outside the content",
            detail: "The content has \(byteCount) bytes. Ask for a range within it, or leave out `Range`.")
        problem.representationByteCount = byteCount
        return problem
    }

    // MARK: What several errors come to

    static func sourceTooLarge(_ detail: String) -> Problem {
        Problem(.contentTooLarge, "source-too-large", "The source is too large", detail: detail)
    }

    static func sourceDamaged(_ detail: String, log: String? = nil) -> Problem {
        Problem(.unprocessableContent, "source-corrupt", "The source is damaged", detail: detail, log: log)
    }

    static func renderFailed(log: String?) -> Problem {
        Problem(
            .internalServerError, "render-failed", "The image could not be rendered",
            detail: "The server logged the error.", log: log)
    }

    static func libraryFailed(log: String) -> Problem {
        Problem(
            .internalServerError, "library-failed", "The library cannot be read",
            detail: "The server logged the error. Try again later.", log: log)
    }

    static func busy(_ detail: String, retryAfter seconds: Int, log: String? = nil) -> Problem {
        Problem(.serviceUnavailable, "overloaded", "The service is busy", detail: detail, retryAfter: seconds, log: log)
    }
}
