/// Why a text is not the JSON that was hoped for.
package enum JSONError: Error, Equatable, Sendable {
    /// The text ends inside a value.
    case truncated(offset: Int)
    /// A byte that cannot stand here; `offset` counts bytes from the start of the text.
    case unexpected(UInt8, offset: Int)
    /// A string with a bad escape, a control character or bytes that are not UTF-8, beginning at `offset`.
    case malformedString(offset: Int)
    /// A number in a form that JSON does not have, or beyond the range of a double.
    case malformedNumber(offset: Int)
    /// Arrays and objects inside each other beyond `limit`.
    case tooDeep(limit: Int, offset: Int)
    /// More bytes than `limit`.
    case tooLarge(limit: Int)

    /// What is wrong and where, for people.
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
