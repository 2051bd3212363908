import HTTPMessage
import HTTPServer
import Resources

/// The style sheets and scripts of web pages, which are part of the program.
struct PageFiles: Sendable {
    static let path: StaticString = "/pages/"

    private let files: [String: (text: FixedText, mediaType: StaticString)]

    init() {
        files = Dictionary(
            uniqueKeysWithValues: Resources.pages.map { ($0.name, (FixedText($0.bytes), Self.mediaType($0.name))) })
    }

    /// The file at the path of `target`; nil: there is none.
    subscript(target: RequestTarget) -> (text: FixedText, mediaType: StaticString)? {
        DescribedPath.decoded(String(target.path.dropFirst(Self.path.utf8CodeUnitCount))).flatMap { files[$0] }
    }

    private static func mediaType(_ name: String) -> StaticString {
        name.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
    }
}

/// The field lines of web pages. A page loads and tells nothing but what comes from this server: scripts and styles stand in
/// files of their own, never in the page.
enum PageFields {
    static let mediaType: StaticString = "text/html; charset=utf-8"
    static let contentSecurityPolicy: StaticString =
        """
        default-src 'none'; img-src 'self' blob: data:; connect-src 'self'; script-src 'self'; style-src 'self'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'self'
        """

    /// Of a page.
    static var page: FieldLines {
        var fields = FieldLines()
        fields.append("Content-Security-Policy", literal: contentSecurityPolicy)
        // Ids and signatures of addresses are for this server alone.
        fields.append("Referrer-Policy", literal: "same-origin")
        return fields
    }
}

extension RequestContext {
    /// A page that nobody keeps, unless `caching` says otherwise.
    func page(_ html: String, caching: AnswerCaching? = nil) -> Response {
        var response = response(CodedText(html, for: head), "\(PageFields.mediaType)", caching: caching)
        response.fields.append(PageFields.page)
        return response
    }
}
