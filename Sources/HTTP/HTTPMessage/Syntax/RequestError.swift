/// Why a request was refused. Offsets count from the first byte of the request line.
package enum RequestError: Error, Equatable, Sendable {
    /// More empty lines before the request line than `limit`.
    case tooManyEmptyLines(limit: Int)
    /// A byte in or after the method that is neither of a token nor the one space.
    case invalidMethod(offset: Int)
    /// A method longer than any that is known (RFC 9112 §3).
    case methodTooLong(limit: Int)
    /// An empty request target, or a byte in it that cannot stand there.
    case invalidTarget(offset: Int)
    /// A request target of more than `limit` bytes.
    case targetTooLong(limit: Int)
    /// Anything but `HTTP/`, a digit, `.`, a digit and the end of the line.
    case invalidVersion(offset: Int)
    /// A well-formed version whose major number is not 1.
    case unsupportedVersion(major: Int)
    /// A CR without LF, or an LF without CR.
    case invalidLineEnd(offset: Int)
    /// A field line that begins with white space (RFC 9112 §5.2).
    case foldedField(offset: Int)
    /// A field name that is empty or no token, or that is not followed at once by a colon.
    case invalidFieldName(offset: Int)
    /// A control byte other than HTAB in a field value.
    case invalidFieldValue(offset: Int)
    /// A field line of more than `limit` bytes.
    case fieldTooLarge(limit: Int)
    /// More than `limit` field lines.
    case tooManyFields(limit: Int)
    /// A head of more than `limit` bytes.
    case headTooLarge(limit: Int)
    /// HTTP/1.1 without Host, whatever the target says (RFC 9112 §3.2).
    case missingHost
    /// A second Host line, equal or not.
    case repeatedHost
    /// A Host that is empty or not `uri-host [ ":" port ]`.
    case invalidHost
    /// `*` with another method than OPTIONS, an authority with another method than CONNECT, a foreign scheme, user
    /// information, a broken percent escape in the path, or no leading slash.
    case invalidTargetForm
    /// A second Content-Length line, equal or not.
    case repeatedContentLength
    /// A Content-Length that is no plain decimal number or does not fit 63 bits.
    case invalidContentLength
    /// Both framing fields at once (RFC 9112 §6.3).
    case contentLengthWithTransferEncoding
    /// Transfer-Encoding in HTTP/1.0, an empty element, or `chunked` twice or not last (RFC 9112 §6.1, §6.3).
    case invalidTransferEncoding
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding
    /// A chunk size, extension or chunk end that breaks RFC 9112 §7.1; the offset counts from the content's start.
    case invalidChunk(offset: Int)
    /// A chunk-size line of more than `limit` bytes.
    case chunkLineTooLong(limit: Int)
    /// More than `limit` bytes of chunk extensions in one content.
    case chunkExtensionsTooLarge(limit: Int)
    /// A malformed trailer section; the offset counts from the content's start.
    case invalidTrailer(offset: Int)
    /// A trailer section of more than `limit` bytes.
    case trailersTooLarge(limit: Int)

    /// The status to answer with, after which the connection is closed: what follows cannot be framed.
    package var status: Status {
        switch self {
        case .tooManyEmptyLines, .invalidMethod, .invalidTarget, .invalidVersion, .invalidLineEnd, .foldedField,
            .invalidFieldName, .invalidFieldValue, .missingHost, .repeatedHost, .invalidHost, .invalidTargetForm,
            .repeatedContentLength, .invalidContentLength, .contentLengthWithTransferEncoding,
            .invalidTransferEncoding, .invalidChunk, .chunkLineTooLong, .chunkExtensionsTooLarge, .invalidTrailer:
            .badRequest
        case .targetTooLong: .uriTooLong
        case .fieldTooLarge, .tooManyFields, .headTooLarge, .trailersTooLarge: .fieldsTooLarge
        case .methodTooLong, .unknownTransferCoding: .notImplemented
        case .unsupportedVersion: .versionNotSupported
        }
    }
}
