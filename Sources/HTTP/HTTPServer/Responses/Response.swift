package import Bytes
package import HTTPMessage

/// An answer. The server adds Date, Content-Length, Connection and X-Request-Id.
package struct Response: Sendable {
    package var status: Status
    package var fields: FieldLines
    /// Fields of this answer alone: timings, cache status.
    package var ownFields = FieldLines()
    package var content: ResponseContent?
    package var closesConnection = false
    /// Another server's answer: `fields` have its Date and, without content, Content-Length.
    package var isRelayed = false

    package init(status: Status, fields: FieldLines, content: ResponseContent? = nil) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    package init(status: Status, fields: FieldLines, content: SharedBytes) {
        self.init(status: status, fields: fields, content: .bytes(content))
    }
    /// Tells the maker of streamed content that nobody wants it.
    func abandon() { if case .stream(let stream)? = content { stream.onAbandon() } }
}
