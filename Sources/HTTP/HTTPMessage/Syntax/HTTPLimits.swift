/// Limits of a request and the statuses of their refusal, in bytes unless said otherwise.
package struct HTTPLimits: Sendable, Equatable {
    /// A longer method is unknown (501).
    package var methodByteCount = 128
    package var targetByteCount = 8192
    /// Request line, fields and the empty line (431).
    package var headByteCount = 32768
    /// Field lines (431).
    package var fieldCount = 100
    package var fieldByteCount = 16384
    /// Empty lines skipped before a request line (RFC 9112 §2.2 asks for at least one).
    package var leadingEmptyLineCount = 4
    /// One chunk-size line with its extensions (400).
    package var chunkLineByteCount = 1024
    /// All chunk extensions of one content (400).
    package var chunkExtensionByteCount = 16384
    /// 431.
    package var trailerByteCount = 8192

    package init() {}
}
