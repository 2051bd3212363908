/// What a request may bring, and which request fields a script of another origin may send with it.
enum AcceptedContent: Sendable {
    case nothing
    /// No content, but a token.
    case token
    /// A map's parameters as JSON.
    case mapParameters
    /// A file, or a form with one.
    case file
    /// Content of the tus protocol.
    case resumableUpload
}
