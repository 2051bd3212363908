package import HTTPMessage

/// The parts of a request that the rules use.
package struct CacheRequest: Sendable {
    package let method: Method
    package let uri: TargetURI
    package let fields: Fields
    package let hasContent: Bool
    package let directives: RequestDirectives

    package init(_ method: Method, _ uri: TargetURI, _ fields: Fields = Fields(), hasContent: Bool = false) {
        self.method = method
        self.uri = uri
        self.fields = fields
        self.hasContent = hasContent
        directives = RequestDirectives(fields)
    }

    var isReading: Bool { method.isRead }

    /// Whether only the origin can judge a precondition (RFC 9111 §4.3.2).
    var hasOriginPrecondition: Bool { fields.contains(.ifMatch) || fields.contains(.ifUnmodifiedSince) }
}
