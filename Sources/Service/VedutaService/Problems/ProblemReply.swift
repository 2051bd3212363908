import HTTPMessage
import HTTPServer
import Logging
import Parameters

enum ProblemReply {
    /// The answer to `request`.
    ///
    /// - Parameters:
    ///   - lines: what the policy adds.
    ///   - vary: the fields that decided something.
    ///   - isKept: whether a cache may have it for as long as its status allows.
    static func response(
        _ problem: Problem, to request: Request, _ lines: PolicyLines, vary: String = "", isKept: Bool = true,
        log: Logger
    ) -> Response {
        // What the operator cannot mend, such as an overload, is counted and not logged: there would be a line a
        // request.
        if problem.log != nil || problem.status == .internalServerError {
            log.warning(
                "\(problem.type)",
                metadata: [
                    "request": "\(request.id)", "target": "\(request.head.targetText.prefix(300))",
                    "cause": "\(record(problem.log ?? problem.detail))",
                ])
        }
        let head = request.head
        let isOfPage = Endpoint(head.target) == .view
        return response(
            problem, lines, requestID: request.id,
            vary: [vary, isOfPage ? "Accept" : ""].filter { !$0.isEmpty }.joined(separator: ", "), isKept: isKept,
            takesGzip: AcceptEncoding.takesGzip(head.fields), isPage: isOfPage && head.wantsPage)
    }

    /// Libraries explain themselves in several lines, and decoding processes may say anything; a record is one line of at most
    /// 2,000 characters.
    static func record(_ cause: String) -> String {
        let line = cause.prefix(2000).split(whereSeparator: \.isNewline).joined(separator: "; ")
        return String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }

    /// For a request that may have no name.
    static func response(
        _ problem: Problem, _ lines: PolicyLines, requestID: String? = nil, vary: String = "", isKept: Bool = true,
        takesGzip: Bool = false, isPage: Bool = false
    ) -> Response {
        let told = isPage ? ProblemPage.html(problem, requestID: requestID) : problem.json(requestID: requestID)
        let text = CodedText(told, gzip: takesGzip, .onLoop)
        var fields = isPage ? PageFields.page : FieldLines()
        fields.append(.contentType, literal: isPage ? PageFields.mediaType : "application/problem+json")
        // Nothing is kept beyond the time of a signature, or for others than the token's clients.
        let mayKeep = isKept && lines.bound.allows(seconds: 60)
        fields.append(.cacheControl, literal: mayKeep ? cacheControl(problem.status) : "no-store")
        text.append(to: &fields, varyingWith: vary)
        if let seconds = problem.retryAfterSeconds { fields.append(.retryAfter, seconds) }
        problem.appendBudget(to: &fields)
        if let allow = problem.allow { fields.append(.allow, allow) }
        if let challenge = problem.challenge { fields.append(.wwwAuthenticate, challenge) }
        if let count = problem.representationByteCount { fields.append(.contentRange, "bytes */\(count)") }
        fields.append(.xContentTypeOptions, literal: "nosniff")
        var response = Response(status: problem.status, fields: fields, content: text.content)
        response.ownFields = lines.common
        return response
    }

    /// Errors are cached briefly, faults of the request not at all.
    private static func cacheControl(_ status: Status) -> StaticString {
        switch status.code {
        case 404: "max-age=60"
        // only-if-cached: the next request may do without.
        case 504: "no-store"
        // An unknown coding or version is the fault of one client alone.
        case 501, 505: "no-store"
        case 500...: "max-age=5"
        default: "no-store"
        }
    }
}
