/// Offsets count bytes from the start of the text.
package enum JSONError: Error, Equatable, Sendable {
    case truncated(offset: Int)
    case unexpected(UInt8, offset: Int)
    /// A bad escape, a control character or bytes that are not UTF-8.
    case malformedString(offset: Int)
    /// Not of JSON, or beyond the range of a double.
    case malformedNumber(offset: Int)
    case tooDeep(limit: Int, offset: Int)
    case tooLarge(limit: Int)

    package var message: String {
        switch self {
        case .truncated(let offset): "the text ends too early, at byte \(offset)"
        case .unexpected(let byte, let offset):
            "unexpected \(byte > 0x20 && byte < 0x7f ? "'\(Unicode.Scalar(byte))'" : "byte \(byte)") at byte \(offset)"
        case .malformedString(let offset): "a malformed string begins at byte \(offset)"
        case .malformedNumber(let offset): "a malformed number begins at byte \(offset)"
        case .tooDeep(let limit, let offset): "nested deeper than \(limit) at byte \(offset)"
        case .tooLarge(let limit): "over \(limit) bytes"
        }
    }
}
