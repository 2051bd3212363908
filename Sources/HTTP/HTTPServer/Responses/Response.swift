package import Bytes
package import HTTPMessage

/// An answer: status, field lines and content. The server adds Date, Content-Length, Connection and X-Request-Id.
package struct Response: Sendable {
    package var status: Status
    /// Field lines as they go out; may be shared by many answers.
    package var fields: FieldLines
    /// Field lines of this answer alone: timings, cache status.
    package var ownFields = FieldLines()
    /// The content; nil: none.
    package var content: ResponseContent?
    /// Whether the connection is closed after this answer.
    package var closesConnection = false
    /// Whether it is another server's answer that is passed on: then `fields` have Date and, where there is no content,
    /// Content-Length as that server sent them, and nothing is added but what frames the content.
    package var isRelayed = false

    package init(status: Status, fields: FieldLines, content: ResponseContent? = nil) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// An answer with bytes in memory.
    package init(status: Status, fields: FieldLines, content: SharedBytes) {
        self.init(status: status, fields: fields, content: .bytes(content))
    }
}

extension Response {
    /// Tells who makes the content, if it is made piece by piece, that nobody wants it.
    func abandon() {
        if case .stream(let stream)? = content { stream.onAbandon() }
    }
}
