/// Why a request was refused. Offsets count from the first byte of the request line, in content from its start.
package enum RequestError: Error, Equatable, Sendable {
    case tooManyEmptyLines(limit: Int)
    /// A byte in or after the method that is neither of a token nor the one space.
    case invalidMethod(offset: Int)
    /// Longer than any known method (RFC 9112 §3).
    case methodTooLong(limit: Int)
    case invalidTarget(offset: Int)
    case targetTooLong(limit: Int)
    /// Anything but `HTTP/`, a digit, `.`, a digit and the end of the line.
    case invalidVersion(offset: Int)
    case unsupportedVersion(major: Int)
    case invalidLineEnd(offset: Int)
    /// A field line that begins with white space (RFC 9112 §5.2).
    case foldedField(offset: Int)
    /// A field name that is empty or no token, or that is not followed at once by a colon.
    case invalidFieldName(offset: Int)
    /// A control byte other than HTAB.
    case invalidFieldValue(offset: Int)
    case fieldTooLarge(limit: Int)
    case tooManyFields(limit: Int)
    case headTooLarge(limit: Int)
    /// HTTP/1.1 without Host, whatever the target (RFC 9112 §3.2).
    case missingHost
    /// A second Host line, equal or not.
    case repeatedHost
    /// Empty or not `uri-host [ ":" port ]`.
    case invalidHost
    /// `*` without OPTIONS, an authority without CONNECT, a foreign scheme, user information, a broken percent escape
    /// in the path, or no leading slash.
    case invalidTargetForm
    /// A second Content-Length line, equal or not.
    case repeatedContentLength
    /// No plain decimal number, or over 63 bits.
    case invalidContentLength
    /// Both framing fields at once (RFC 9112 §6.3).
    case contentLengthWithTransferEncoding
    /// Transfer-Encoding in HTTP/1.0, an empty element, or `chunked` twice or not last (RFC 9112 §6.1, §6.3).
    case invalidTransferEncoding
    case unknownTransferCoding
    /// RFC 9112 §7.1 is broken.
    case invalidChunk(offset: Int)
    case chunkLineTooLong(limit: Int)
    case chunkExtensionsTooLarge(limit: Int)
    case invalidTrailer(offset: Int)
    case trailersTooLarge(limit: Int)

    /// The status of the answer, after which the connection closes: what follows cannot be framed.
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
