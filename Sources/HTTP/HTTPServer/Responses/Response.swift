package import Bytes
package import HTTPMessage

/// An answer. The server adds Date, Content-Length, Connection and X-Request-Id.
package struct Response: Sendable {
    package var status: Status
    package var fields: FieldLines
    /// Fields of this answer alone: timings, cache status.
    package var ownFields: FieldLines
    package var content: ResponseContent?
    package var closesConnection: Bool
    /// Another server's answer: `fields` have its Date and, without content, Content-Length.
    package var isRelayed: Bool

    /// Inlined: a call copies the answer once more, 230 instructions of a hit.
    @inlinable package init(
        status: Status, fields: FieldLines, ownFields: FieldLines = FieldLines(), content: ResponseContent? = nil
    ) {
        self.status = status
        self.fields = fields
        self.ownFields = ownFields
        self.content = content
        closesConnection = false
        isRelayed = false
    }

    package init(status: Status, fields: FieldLines, content: SharedBytes) {
        self.init(status: status, fields: fields, content: .bytes(content))
    }
    /// Tells the maker of streamed content that nobody wants it.
    func abandon() { if case .stream(let stream)? = content { stream.onAbandon() } }
}
