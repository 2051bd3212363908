import HTTPMessage
import HTTPServer

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
